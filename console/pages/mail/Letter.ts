/**
 * A mail being written. It outlives its page: whoever has to sign in again, or could not save, finds it at the same
 * address. Never kept outside of this tab's memory and the server's drafts.
 */
import { type Signal, signal } from "@preact/signals"
import { plausible, split } from "./Recipients.ts"
import type { Upload } from "./Shapes.ts"

/** What it begins with. */
export interface Beginning {
  readonly to: string
  readonly cc: string
  readonly bcc: string
  readonly subject: string
  readonly text: string
  readonly inReplyTo: string | undefined
  /** Its uid among the drafts. */
  readonly draft: number | undefined
  /** Files of another message that go along: where they are, and what they are called. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly name: string; readonly type: string }>
}

export interface Letter {
  readonly to: Signal<string>
  readonly cc: Signal<string>
  readonly bcc: Signal<string>
  readonly subject: Signal<string>
  readonly text: Signal<string>
  readonly files: Signal<ReadonlyArray<Upload>>
  readonly signature: Signal<boolean>
  readonly inReplyTo: string | undefined
  /**
   * Files of another message that are not here yet. Until they are, no draft is kept: it would take the place of the
   * one that has them.
   */
  readonly carry: Signal<Beginning["files"]>
  /** Its uid among the drafts; `untold`: it lies there, and the server does not say where. */
  draft: number | "untold" | undefined
  /** What lies among the drafts, as JSON. */
  kept: string
  /** The last try to send: the same mail goes by the same key, so that it is sent once. */
  attempt: { readonly key: string; readonly body: string } | undefined
}

export const letterOf = (beginning: Beginning): Letter => {
  const letter: Letter = {
    to: signal(beginning.to),
    cc: signal(beginning.cc),
    bcc: signal(beginning.bcc),
    subject: signal(beginning.subject),
    text: signal(beginning.text),
    files: signal<ReadonlyArray<Upload>>([]),
    signature: signal(true),
    inReplyTo: beginning.inReplyTo,
    carry: signal(beginning.files),
    draft: beginning.draft,
    kept: "",
    attempt: undefined
  }
  letter.kept = JSON.stringify(draftOf(letter))
  return letter
}

/**
 * As it is kept among the drafts: without signature, which is chosen anew, and without addresses that are still being
 * typed.
 */
export const draftOf = (letter: Letter) => ({
  ...fieldsOf(letter, (piece) => plausible(piece)),
  plain: letter.text.value
})

/** Who gets it, what it is about, and what goes along. */
export const fieldsOf = (
  { bcc, cc, files, inReplyTo, subject, to }: Letter,
  taken: (piece: string) => boolean = () => true
) => ({
  to: split(to.value).filter(taken),
  cc: split(cc.value).filter(taken),
  bcc: split(bcc.value).filter(taken),
  subject: subject.value.replace(/\p{Cc}+/gu, " "),
  attachments: files.value.map(({ id }) => id),
  ...(inReplyTo === undefined ? {} : { in_reply_to: inReplyTo })
})

/** Letters that are not sent, by who writes and at which address of the console. */
export const letters = new Map<string, Letter>()

/** For a request that is to be done once. `randomUUID` is there over https only. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
