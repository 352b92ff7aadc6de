/** File uploads with progress. */
import { problemOf, Problem } from "../../lib/Problem.ts"
import { renew, token } from "../../lib/Session.ts"
import type { Upload } from "./Shapes.ts"

/** Largest file. Unit: bytes. Source: mail-watcher, uploads. */
export const maxFile = 25 * 1024 * 1024

/** Uploads a file; `progress` receives values from 0 to 1. It does not use `fetch`, which has no upload progress. */
export const upload = async (
  account: string | undefined,
  name: string,
  file: Blob,
  progress: (part: number) => void,
  signal: AbortSignal
): Promise<Upload> => {
  const first = await send(account, name, file, progress, signal)
  const answer = first.status === 401 && (await renew()) ? await send(account, name, file, progress, signal) : first
  if (!answer.ok) throw await problemOf(answer)
  return (await answer.json()) as Upload
}

const send = (
  account: string | undefined,
  name: string,
  file: Blob,
  progress: (part: number) => void,
  signal: AbortSignal
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const query = new URLSearchParams({ name, ...(account === undefined ? {} : { account }) })
    const call = new XMLHttpRequest()
    call.open("POST", `/api/v1/mail/webmail/attachments?${query}`)
    call.setRequestHeader("content-type", file.type === "" ? "application/octet-stream" : file.type)
    if (token.value !== undefined) call.setRequestHeader("authorization", `Bearer ${token.value}`)
    call.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total)
    call.onload = () => resolve(new Response(call.responseText, { status: call.status }))
    call.onerror = () => reject(new Problem(0, "unreachable", "The server does not answer."))
    call.onabort = () => reject(signal.reason)
    signal.addEventListener("abort", () => call.abort())
    call.send(file)
  })
