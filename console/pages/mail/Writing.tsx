import { effect, type Signal, useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import { shortMoment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Problem } from "../../lib/Problem.ts"
import { useDoing } from "../../lib/Doing.ts"
import { discard, isEmpty, isKept, keep, send, type Sent, textOf } from "./Drafts.ts"
import { FileField } from "./FileField.tsx"
import type { Letter } from "./Letter.ts"
import { MailFrame } from "./MailFrame.tsx"
import { listHref } from "./Place.ts"
import { RecipientField } from "./RecipientField.tsx"
import { addressIn, plausible, split } from "./Recipients.ts"
import { SendTrouble } from "./SendTrouble.tsx"
import { SentNote } from "./SentNote.tsx"
import type { Account } from "./Shapes.ts"
import { Sure } from "./Sure.tsx"

const t = words({
  en: {
    from: "From",
    to: "To",
    cc: "Cc",
    bcc: "Bcc",
    more: "Cc, Bcc",
    subject: "Subject",
    text: "Text of the mail",
    send: "Send",
    sending: "Sending …",
    discard: "Discard",
    sure: "Discard for good?",
    signature: (name: string) => `Signature “${name}”`,
    preview: "Signature",
    nobody: "The mail has no recipient.",
    broken: "Some files are not uploaded yet; the mail was not sent.",
    kept: (when: string) => `Saved as a draft at ${when}`,
    keeping: "Not saved yet",
    unkept: "The draft could not be saved; saving is tried again."
  },
  de: {
    from: "Von",
    to: "An",
    cc: "Kopie",
    bcc: "Blindkopie",
    more: "Kopie, Blindkopie",
    subject: "Betreff",
    text: "Text der Mail",
    send: "Senden",
    sending: "Wird gesendet …",
    discard: "Verwerfen",
    sure: "Endgültig verwerfen?",
    signature: (name: string) => `Signatur „${name}“`,
    preview: "Signatur",
    nobody: "Es gibt keinen Empfänger.",
    broken: "Nicht alle Dateien sind da; die Mail wurde nicht gesendet.",
    kept: (when: string) => `Als Entwurf gespeichert um ${when}`,
    keeping: "Noch nicht gespeichert",
    unkept: "Der Entwurf ließ sich nicht speichern; es wird noch einmal versucht."
  }
})

/** Idle time before a draft is saved, and delay before a failed save is retried. Unit: milliseconds. */
const quiet = 2_000
const again = 15_000

/** Resolves when the count is 0. */
const none = (count: Signal<number>): Promise<void> =>
  new Promise((resolve) => {
    const end = effect(() => {
      if (count.value === 0)
        queueMicrotask(() => {
          end()
          resolve()
        })
    })
  })

interface Props {
  readonly account: string | undefined
  /** Called when the letter has been sent or discarded. */
  readonly done: () => void
  readonly from: Account
  readonly letter: Letter
  readonly query: Readonly<Record<string, string | undefined>>
}

/** Form of a letter; the content is saved as a draft. */
export const Writing = ({ account, done, from, letter, query }: Props) => {
  const { route } = useLocation()
  const doing = useDoing()
  const over = useRef(false)
  const sent = useSignal<Sent | undefined>(undefined)
  const keptAt = useSignal<number | undefined>(undefined)
  const unkept = useSignal(false)
  const moving = useSignal(0)
  const broken = useSignal(0)
  const copies = useSignal(letter.cc.peek() !== "" || letter.bcc.peek() !== "")
  const text = useRef<HTMLTextAreaElement>(null)

  const first = split(letter.to.value).find(plausible)
  // The endpoint of compose links also returns the signature, and does not fail when there is none.
  const match = useLoad(
    async () =>
      first === undefined
        ? undefined
        : ((await call("GET /api/v1/mail/webmail/compose", { query: { account, to: addressIn(first) } })).signature ??
          undefined),
    [first, account]
  )
  const signature = match.value.value

  const { bcc, cc, files, subject, text: body, to } = letter
  const keepNow = () =>
    isEmpty(letter) || isKept(letter)
      ? Promise.resolve()
      : keep(account, letter).then(
          () => {
            keptAt.value = Date.now()
            unkept.value = false
          },
          () => {
            unkept.value = true
          }
        )
  useEffect(() => {
    if (isKept(letter) || over.current || doing.busy.value || letter.carry.value.length > 0) return
    const timer = setTimeout(() => over.current || void keepNow(), unkept.value ? again : quiet)
    return () => clearTimeout(timer)
  }, [
    to.value,
    cc.value,
    bcc.value,
    subject.value,
    body.value,
    files.value,
    letter.carry.value,
    doing.busy.value,
    unkept.value
  ])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!over.current && !isKept(letter) && !isEmpty(letter)) event.preventDefault()
    }
    addEventListener("beforeunload", warn)
    return () => {
      removeEventListener("beforeunload", warn)
      if (over.current) return
      // A saved draft makes the copy in memory unnecessary.
      void (isEmpty(letter) || isKept(letter) ? Promise.resolve() : keep(account, letter)).then(done, () => undefined)
    }
  }, [])
  useLayoutEffect(() => {
    // A reply is written above the quoted text.
    if (letter.to.peek() !== "") {
      text.current?.focus()
      text.current?.setSelectionRange(0, 0)
    } else document.getElementById("compose-to")?.focus()
  }, [])

  const problem = doing.problem.value
  const submit = (event: Event) => {
    event.preventDefault()
    if (split(to.value).length + split(cc.value).length + split(bcc.value).length === 0) {
      doing.problem.value = new Problem(422, "nobody", t().nobody)
      return
    }
    void doing.run(async () => {
      const before = broken.peek()
      await none(moving)
      if (letter.carry.value.length > 0 || broken.peek() !== before) throw new Problem(422, "moving", t().broken)
      sent.value = await send(
        account,
        letter,
        letter.signature.value && signature !== undefined
          ? { html: signature.html, text: textOf(signature.html) }
          : undefined
      )
      over.current = true
      done()
    })
  }
  if (sent.value !== undefined) return <SentNote account={account} sent={sent.value} />
  return (
    <form onSubmit={submit}>
      <div class="fields">
        <div class="field">
          <span class="label">{t().from}</span>
          <span>{from.display_name === "" ? from.address : `${from.display_name} <${from.address}>`}</span>
        </div>
        <RecipientField account={account} label={t().to} name="to" value={to}>
          {copies.value ? null : (
            <button type="button" class="plain" onClick={() => (copies.value = true)}>
              {t().more}
            </button>
          )}
        </RecipientField>
        {copies.value ? (
          <>
            <RecipientField account={account} label={t().cc} name="cc" value={cc} />
            <RecipientField account={account} label={t().bcc} name="bcc" value={bcc} />
          </>
        ) : null}
        <div class="field">
          <label for="compose-subject">{t().subject}</label>
          <div class="value">
            <input
              id="compose-subject"
              name="subject"
              maxLength={998}
              value={subject.value}
              onInput={(event) => (subject.value = event.currentTarget.value)}
            />
          </div>
        </div>
        <FileField account={account} letter={letter} moving={moving} broken={broken} />
      </div>
      <textarea
        ref={text}
        name="text"
        aria-label={t().text}
        value={body.value}
        onInput={(event) => (body.value = event.currentTarget.value)}
      />
      {signature === undefined ? null : (
        <div class="signature">
          <label class="check">
            <input
              type="checkbox"
              checked={letter.signature.value}
              onChange={(event) => (letter.signature.value = event.currentTarget.checked)}
            />{" "}
            {t().signature(signature.name)}
          </label>
          {letter.signature.value ? <MailFrame html={signature.html} label={t().preview} remote={false} /> : null}
        </div>
      )}
      <SendTrouble problem={problem} />
      <div class="send-row">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {doing.busy.value ? t().sending : t().send}
        </button>
        <Sure
          sure={t().sure}
          disabled={doing.busy.value}
          onSure={() => {
            over.current = true
            void doing
              .run(() => discard(account, letter))
              .then((gone) => {
                over.current = gone
                if (!gone) return
                done()
                route(listHref({ account, folder: query["folder"] ?? "INBOX" }))
              })
          }}
        >
          {t().discard}
        </Sure>
        <span class="kept" role="status">
          {unkept.value
            ? t().unkept
            : keptAt.value === undefined
              ? ""
              : isKept(letter)
                ? t().kept(shortMoment(keptAt.value))
                : t().keeping}
        </span>
      </div>
    </form>
  )
}
