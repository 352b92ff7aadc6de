// Zone files of tests.

/**
 * `lines`: as in a zone file, names below the zone or with a trailing dot. TTLs are short, and no answer "no" is kept
 * either.
 */
export const zoneText = (name: string, lines: ReadonlyArray<string>, serial = 1): string => {
  const origin = name === "" ? "." : `${name}.`
  return [
    `$ORIGIN ${origin}`,
    "$TTL 60",
    `@ SOA ns.invalid. root.invalid. ${serial} 3600 600 86400 1`,
    ...lines,
    ""
  ].join("\n")
}
