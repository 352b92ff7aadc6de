/** Patterns of the SQL operators `like` and `ilike`. Pure. Source: Postgres manual, "LIKE". */

/** Escapes the signs that a pattern gives a meaning. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

/** Matches texts that contain `text`. */
export const containing = (text: string): string => `%${escapeLike(text)}%`

/** Matches texts that begin with `text`. */
export const beginningWith = (text: string): string => `${escapeLike(text)}%`
