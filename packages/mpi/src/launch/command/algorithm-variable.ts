/** What mpiexec reads like its option `--algorithm`, which goes before. */
export const ALGORITHM_VARIABLE = 'COMMWORLD_ALGORITHM'
