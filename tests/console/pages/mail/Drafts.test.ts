/** Requests that saving, sending and discarding a letter make, over a server of the test. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { discard, keep, send } from "../../../../console/pages/mail/Drafts.ts"
import { type Beginning, draftKeyOf, letterOf } from "../../../../console/pages/mail/Letter.ts"

interface Request {
  readonly name: string
  readonly body: any
  /** Undefined: no answer comes. */
  readonly answer: (status?: number, body?: unknown) => void
}

const requests: Array<Request> = []

beforeEach(() => {
  requests.length = 0
  vi.stubGlobal("document", { documentElement: { lang: "en" } })
  vi.stubGlobal(
    "fetch",
    (path: string, { body, method }: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        requests.push({
          name: `${method} ${path.slice("/api/v1/mail/webmail".length)}`,
          body: body === undefined ? undefined : JSON.parse(body as string),
          answer: (status, json = {}) =>
            status === undefined
              ? reject(new TypeError("no answer"))
              : resolve(status === 204 ? new Response(null, { status }) : Response.json(json, { status }))
        })
      })
  )
})
afterEach(() => vi.unstubAllGlobals())

const beginning: Beginning = {
  to: "a@far.test",
  cc: "",
  bcc: "",
  subject: "",
  text: "",
  inReplyTo: undefined,
  draft: undefined,
  draftKey: undefined,
  files: []
}
const names = () => requests.map(({ name }) => name)
/** The request number `at`, once it is made. */
const request = async (at: number): Promise<Request> => {
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(at))
  return requests[at]!
}
/** Ends when everything that does not wait for an answer has run. */
const idle = () => new Promise((resolve) => setTimeout(resolve, 0))

it("a save that waits while the mail is sent stores no draft", async () => {
  const letter = letterOf(beginning)
  letter.text.value = "one"
  const sending = send(undefined, letter, undefined)
  const saving = keep(undefined, letter)
  ;(await request(0)).answer(200, {})
  await Promise.all([sending, saving])
  await idle()
  expect(names()).toEqual(["POST /send"])
})

it("a save without an answer is repeated with the same key, and so is sending after it", async () => {
  const letter = letterOf(beginning)
  letter.text.value = "one"
  const lost = keep(undefined, letter)
  ;(await request(0)).answer()
  await expect(lost).rejects.toThrow()
  const sent = send(undefined, letter, undefined)
  ;(await request(1)).answer()
  await expect(sent).rejects.toThrow()
  const kept = keep(undefined, letter)
  ;(await request(2)).answer(201, { uid: 7 })
  await kept
  // The draft has a UID now; the mail is the same one, so its key and its body are too.
  const attempt = letter.attempt
  const again = send(undefined, letter, undefined)
  ;(await request(3)).answer(200, {})
  await again
  expect(names()).toEqual(["POST /drafts", "POST /send", "POST /drafts", "POST /send"])
  expect(new Set(requests.map(({ body }) => body.draft_key))).toEqual(new Set([letter.draftKey]))
  expect(letter.attempt).toBe(attempt)
})

it("a letter whose last save got no answer is saved again before it is discarded, to learn the UID", async () => {
  const letter = letterOf({ ...beginning, draft: 5 })
  letter.text.value = "one"
  const lost = keep(undefined, letter)
  ;(await request(0)).answer()
  await expect(lost).rejects.toThrow()
  const gone = discard(undefined, letter)
  ;(await request(1)).answer(200, { uid: 8 })
  ;(await request(2)).answer(204)
  await gone
  expect(names()).toEqual(["PUT /drafts/5", "PUT /drafts/5", "DELETE /drafts/8"])
})

it("a draft that is opened again keeps its key, unless another program stored it", () => {
  const key = "0123456789abcdef"
  expect(draftKeyOf(`<${key}@example.test>`, "ann@example.test")).toBe(key)
  expect(draftKeyOf(`<${key}@far.test>`, "ann@example.test")).toBeUndefined()
  expect(draftKeyOf("<short@example.test>", "ann@example.test")).toBeUndefined()
  expect(draftKeyOf(null, "ann@example.test")).toBeUndefined()
  expect(letterOf({ ...beginning, draft: 5, draftKey: key }).draftKey).toBe(key)
  expect(letterOf(beginning).draftKey).toMatch(/^[0-9a-f]{32}$/)
})
