/** Zones and record sets in the normal form of this daemon. Adapters convert from and to each provider's form. */

/** All records of one name and type. */
export interface RecordSet {
  /** In upper case, such as `A` or `TXT`. */
  readonly type: string
  /** Relative to the zone, lower case, ASCII; `@`: the zone itself; `*` as the first label is a wildcard. */
  readonly name: string
  /** Unit: seconds; null: the zone's default. */
  readonly ttl: number | null
  /**
   * In any order, without duplicates. Host names are absolute, lower case and without a final dot. Examples: MX `10
   * mail.example.org`, SRV `0 1 993 mail.example.org`. A TXT is one text without quotes (protocols/dns/TxtText); the
   * adapter cuts it into strings of at most 255 octets.
   */
  readonly contents: ReadonlyArray<string>
}

export interface Zone {
  /** The provider's id of the zone. */
  readonly id: string
  /** Lower case, ASCII, without a final dot. */
  readonly name: string
}
