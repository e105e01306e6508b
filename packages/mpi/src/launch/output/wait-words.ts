/** How long somebody will have to wait: `15 s`, `4 min`, `2.5 h`. */
export function waitWords(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  if (seconds < 6000) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
