/** Contents of records: what may stand in them, and the one form in which they compare. Pure. */

/** Types that people may ask for. */
export const recordTypes = ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA"] as const
export type RecordType = (typeof recordTypes)[number]
