/** Without prefix and leading zeros, as both sides can be compared. */
export function plainGuid(guid: string): string {
  return guid
    .toLowerCase()
    .replace(/^0x/, '')
    .replace(/^0+(?=.)/, '')
}
