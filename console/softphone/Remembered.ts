/** Stores in the browser whose softphone was on and with which extension. It contains no secret. */

const key = "signalbox.softphone"

interface On {
  readonly user: number
  readonly extension: number
}

export const keep = (on: On): void => localStorage.setItem(key, JSON.stringify(on))
export const forget = (): void => localStorage.removeItem(key)

export const kept = (): On | undefined => {
  const [, user, extension] = /^\{"user":(\d+),"extension":(\d+)\}$/.exec(localStorage.getItem(key) ?? "") ?? []
  return user === undefined ? undefined : { user: Number(user), extension: Number(extension) }
}
