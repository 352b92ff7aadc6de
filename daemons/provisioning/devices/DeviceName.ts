/** Name of a device for lists: what its client says, else the kind of device in the User-Agent header. Pure. */

/** Longest name. Unit: UTF-16 units. */
const maxName = 100

/** Products in User-Agent headers, in the order in which they are recognised: many browsers name several. */
const products: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/Thunderbird\/\d/, "Thunderbird"],
  [/DAVx5\/|at\.bitfire\.davdroid/i, "DAVx5"],
  [/baresip|linphone|zoiper/i, "Softphone"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows NT/, "Windows"],
  [/Macintosh|Mac OS X/, "Mac"],
  [/CrOS/, "Chromebook"],
  [/Linux|X11/, "Linux"]
]

/** Name without control characters, in one line; undefined when nothing is left. */
const cleaned = (text: string | null | undefined): string | undefined => {
  const name = text
    ?.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
    .slice(0, maxName)
    .toWellFormed()
    .trim()
  return name === undefined || name === "" ? undefined : name
}

/** `label`: name in the token, which the creator of the link has chosen. */
export const deviceName = (from: {
  readonly label: string | null
  readonly given: string | undefined
  readonly userAgent: string | undefined
}): string =>
  cleaned(from.label) ??
  cleaned(from.given) ??
  products.find(([pattern]) => pattern.test(from.userAgent ?? ""))?.[1] ??
  cleaned(from.userAgent?.split(/[\s/(]/, 1)[0]) ??
  "Device"
