/** Zones and their record sets in the one form that this daemon uses, whatever the provider writes. */

/** All records of one name and type. */
export interface RecordSet {
  /** Upper case, such as `A` or `TXT`. */
  readonly type: string
  /** Below the zone, lower case, in ASCII; `@`: the zone's own name; `*` as the first label is a wildcard. */
  readonly name: string
  /** Unit: seconds; null: the zone's default. */
  readonly ttl: number | null
  /**
   * In no particular order, without doubles. Host names in full, lower case, without a trailing dot; an MX as `10
   * mail.example.org`, an SRV as `0 1 993 mail.example.org`; a TXT as one text without quotes around it
   * (protocols/dns/TxtText), which the adapter cuts into strings of at most 255 octets.
   */
  readonly contents: ReadonlyArray<string>
}

export interface Zone {
  /** As the provider knows it. */
  readonly id: string
  /** Lower case, in ASCII, without a trailing dot. */
  readonly name: string
}
