/** Lists of minutes as text in a form. Pure. */

export const minutesText = (minutes: ReadonlyArray<number>): string => minutes.join(", ")

/** Numbers of the text. A word that is no number stays in the list as 0, so that the server marks its place. */
export const minutesOf = (text: string): ReadonlyArray<number> =>
  text
    .split(/[\s,;]+/)
    .filter((one) => one !== "")
    .map((one) => (/^\d{1,9}$/.test(one) ? Number(one) : 0))
