/** Downloads of files that require the access token: fetched by the page, then saved by the browser. */
import { request } from "../../lib/Call.ts"
import { Problem } from "../../lib/Problem.ts"

/** Download timeout. Unit: milliseconds. Reason: 25 MiB over a slow line. */
const patience = 15 * 60_000

export const attachmentPath = (
  account: string | undefined,
  { folder, uid }: { readonly folder: string; readonly uid: number },
  part: string
): string =>
  `/api/v1/mail/webmail/messages/${encodeURIComponent(folder)}/${uid}/attachments/${part}${account === undefined ? "" : `?account=${account}`}`

export const fetched = async (path: string, init: RequestInit = {}): Promise<Blob> => {
  try {
    return await (await request(path, { signal: AbortSignal.timeout(patience), ...init })).blob()
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(0, "unreachable", "The file broke off.")
  }
}

/** Saves a file. It is never opened, because foreign content would run in the console's origin. */
export const save = async (path: string, name: string): Promise<void> => {
  const file = new Blob([await fetched(path)], { type: "application/octet-stream" })
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), patience)
}
