/**
 * Saves, discards and sends a letter. Operations on the same letter run one after the other, and its drafts have one
 * key, so a letter never has two drafts.
 */
import { call, request } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { Problem } from "../../lib/Problem.ts"
import { draftOf, fieldsOf, type Letter, newKey } from "./Letter.ts"
import { pageOf } from "./Quote.ts"
import { changes } from "./Shapes.ts"

const turns = new WeakMap<Letter, Promise<unknown>>()

/** Runs `work` after all earlier operations on the letter. */
const inTurn = <A>(letter: Letter, work: () => Promise<A>): Promise<A> => {
  const turn = (turns.get(letter) ?? Promise.resolve()).catch(() => undefined).then(work)
  turns.set(letter, turn)
  return turn
}

export const isKept = (letter: Letter): boolean => letter.kept === JSON.stringify(draftOf(letter))

/** Whether the letter has no content worth saving. */
export const isEmpty = (letter: Letter): boolean => {
  const { attachments, bcc, cc, plain, subject, to } = draftOf(letter)
  return plain.trim() === "" && subject.trim() === "" && attachments.length + to.length + cc.length + bcc.length === 0
}

/** Stores the content as the draft of the letter. */
const store = async (account: string | undefined, letter: Letter, content: Content): Promise<void> => {
  const payload = { ...content, draft_key: letter.draftKey }
  const create = () => call("POST /api/v1/mail/webmail/drafts", { query: { account }, payload })
  const replace = (uid: number) =>
    call("PUT /api/v1/mail/webmail/drafts/:uid", { params: { uid: String(uid) }, query: { account }, payload }).catch(
      (error: unknown) => {
        // The draft was deleted elsewhere but is still being edited here.
        if (isGone(error)) return create()
        throw error
      }
    )
  const before = letter.isDraftUnsure
  letter.isDraftUnsure = true
  try {
    const { uid } = await (letter.draft === undefined ? create() : replace(letter.draft))
    letter.draft = uid ?? undefined
    letter.isDraftUnsure = false
  } catch (error) {
    // A refused request stored nothing.
    if (error instanceof Problem && error.status >= 400 && error.status < 500) letter.isDraftUnsure = before
    throw error
  }
}

type Content = ReturnType<typeof draftOf>

const isGone = (error: unknown): boolean => error instanceof Problem && error.status === 404

/** Saves the letter as a draft and replaces the previous draft. Saves nothing once the letter is sent or discarded. */
export const keep = (account: string | undefined, letter: Letter): Promise<void> =>
  inTurn(letter, async () => {
    if (letter.over) return
    if (letter.carry.value.length > 0) throw new Problem(0, "files", "Its files are not all here.")
    const content = draftOf(letter)
    const text = JSON.stringify(content)
    if (text === letter.kept) return
    await store(account, letter, content)
    letter.kept = text
    changes.value++
  })

export const discard = (account: string | undefined, letter: Letter): Promise<void> =>
  inTurn(letter, async () => {
    // Saving again reports the UID of the draft to delete.
    if (letter.isDraftUnsure) await store(account, letter, draftOf(letter))
    if (letter.draft !== undefined) {
      await call("DELETE /api/v1/mail/webmail/drafts/:uid", {
        params: { uid: String(letter.draft) },
        query: { account }
      }).catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
    }
    letter.over = true
    changes.value++
  })

/** Send timeout. Unit: milliseconds. Reason: a mail of 35 MiB to a slow mail server. */
const patience = 5 * 60_000

export type Sent = Answer<"POST /api/v1/mail/webmail/send">

/**
 * Sends the mail. Retries of the same mail use the same idempotency key, so it is sent only once. `signature`: as HTML
 * and as text.
 */
export const send = (
  account: string | undefined,
  letter: Letter,
  signature: { readonly html: string; readonly text: string } | undefined
): Promise<Sent> =>
  inTurn(letter, async () => {
    const text = letter.text.value
    const body = JSON.stringify({
      ...fieldsOf(letter),
      ...(signature === undefined
        ? { plain: text }
        : {
            plain: `${text.trimEnd()}\n\n-- \n${signature.text}`,
            html: `${pageOf(`${text.trimEnd()}\n\n-- `)}${signature.html}`
          }),
      // Neither changes when the draft is saved, so a retry has the same body and the same key.
      ...(letter.opened === undefined ? {} : { draft: letter.opened }),
      draft_key: letter.draftKey
    })
    if (letter.attempt?.body !== body) letter.attempt = { key: newKey(), body }
    const response = await request(`/api/v1/mail/webmail/send${account === undefined ? "" : `?account=${account}`}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": letter.attempt.key },
      body,
      signal: AbortSignal.timeout(patience)
    }).catch((error: unknown) => {
      throw error instanceof Problem ? error : new Problem(0, "unreachable", String(error))
    })
    letter.over = true
    changes.value++
    return (await response.json()) as Sent
  })

/** Converts a signature from HTML to text, for recipients who read plain text. */
export const textOf = (html: string): string => {
  const words = html
    .replace(/\s+/g, " ")
    .replace(/<br\b[^>]*>|<\/(?:p|div|tr|li|h\d)>/gi, "\n")
    .replace(/<[^>]*>/g, "")
  // The tags are removed already; the parser only decodes character references.
  const text = new DOMParser().parseFromString(words, "text/html").body.textContent ?? ""
  return text
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}
