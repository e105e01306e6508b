export const partAddress: string = import.meta.url
