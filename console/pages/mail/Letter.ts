/**
 * A mail being written. It survives its page: after a new sign-in or a failed save the user finds it at the same URL.
 * It is stored only in this tab's memory and in the server's drafts.
 */
import { type Signal, signal } from "@preact/signals"
import { plausible, split } from "./Recipients.ts"
import type { Upload } from "./Shapes.ts"

/** Initial content of a letter. */
export interface Beginning {
  readonly to: string
  readonly cc: string
  readonly bcc: string
  readonly subject: string
  readonly text: string
  readonly inReplyTo: string | undefined
  /** UID of its draft. */
  readonly draft: number | undefined
  /** Key of its draft. Undefined: none is known. */
  readonly draftKey: string | undefined
  /** Attachments of another message to add: their paths and names. */
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
   * Attachments of another message that are not uploaded yet. Until then no draft is saved, because it would replace
   * the draft that has them.
   */
  readonly carry: Signal<Beginning["files"]>
  /** UID of the draft from which it was opened. */
  readonly opened: number | undefined
  /** Key of its drafts. The server keeps one draft for a key. */
  readonly draftKey: string
  /** UID of its draft. Undefined: there is none, or the server did not report its UID. */
  draft: number | undefined
  /** The last save got no answer: whether there is a draft, and its UID, are not known. */
  isDraftUnsure: boolean
  /** Content of the saved draft, as JSON. */
  kept: string
  /** Sent or discarded: it is not saved any more. */
  over: boolean
  /** The last attempt to send. The same mail reuses the key, so that it is sent only once. */
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
    opened: beginning.draft,
    draftKey: beginning.draftKey ?? newKey(),
    draft: beginning.draft,
    isDraftUnsure: false,
    kept: "",
    over: false,
    attempt: undefined
  }
  letter.kept = JSON.stringify(draftOf(letter))
  return letter
}

/**
 * Key of the draft with this Message-ID. Undefined: the Message-ID is not one of a draft with a key of this account.
 * `own`: address of the account.
 */
export const draftKeyOf = (messageId: string | null, own: string): string | undefined => {
  const [, key, domain] = /^<([A-Za-z0-9_-]{16,64})@(.+)>$/.exec(messageId ?? "") ?? []
  return domain === own.slice(own.lastIndexOf("@") + 1) ? key : undefined
}

/** Content of the draft, without the signature, which is selected when sending, and without incomplete addresses. */
export const draftOf = (letter: Letter) => ({
  ...fieldsOf(letter, (piece) => plausible(piece)),
  plain: letter.text.value
})

/** Recipients, subject and attachments of a letter. */
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

/** Unsent letters by user and URL. */
export const letters = new Map<string, Letter>()

/** Random idempotency key. Browsers offer `randomUUID` only over https. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
