import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { useEffect } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Icon } from "../../parts/Icon.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { type Change, changeMessages, markUnread, star, unstar } from "./Actions.ts"
import { Addresses } from "./Addresses.tsx"
import { Attachments } from "./Attachments.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { save } from "./Download.ts"
import { titleOfNamed, useOf } from "./FolderNames.ts"
import { MailFrame } from "./MailFrame.tsx"
import { MoveTo } from "./MoveTo.tsx"
import { composeHref, listHref, type Place } from "./Place.ts"
import { changes, type Folder } from "./Shapes.ts"
import { Sure } from "./Sure.tsx"
import { At } from "../../parts/When.tsx"

const t = words({
  en: {
    wait: "Mail",
    noSubject: "(no subject)",
    back: (folder: string) => `Back to ${folder}`,
    reply: "Reply",
    all: "Reply to all",
    forward: "Forward",
    edit: "Continue writing",
    star: "Star",
    unread: "Mark unread",
    delete: "Delete",
    sure: "Delete for good?",
    source: "Save as file",
    actions: "What to do with this mail",
    from: "From",
    to: "To",
    cc: "Cc",
    bcc: "Bcc",
    date: "Date",
    replyTo: "Replies to",
    blocked: (count: string) =>
      `Remote pictures are not shown (${count}): they would tell the sender that you read the mail.`,
    show: "Show pictures",
    truncated: "This mail is longer than what is shown here.",
    asText: "Text only",
    asPage: "As sent",
    body: "Content of the mail"
  },
  de: {
    wait: "Mail",
    noSubject: "(kein Betreff)",
    back: (folder: string) => `Zurück zu ${folder}`,
    reply: "Antworten",
    all: "Allen antworten",
    forward: "Weiterleiten",
    edit: "Weiterschreiben",
    star: "Markieren",
    unread: "Als ungelesen",
    delete: "Löschen",
    sure: "Endgültig löschen?",
    source: "Als Datei speichern",
    actions: "Was mit dieser Mail geschieht",
    from: "Von",
    to: "An",
    cc: "Kopie",
    bcc: "Blindkopie",
    date: "Datum",
    replyTo: "Antworten an",
    blocked: (count: string) =>
      `Bilder aus dem Netz werden nicht gezeigt (${count}): Sonst erfährt der Absender, dass Sie die Mail lesen.`,
    show: "Bilder zeigen",
    truncated: "Diese Mail ist länger als das, was hier steht.",
    asText: "Nur Text",
    asPage: "Wie gesendet",
    body: "Inhalt der Mail"
  }
})

/** One message for reading. */
export const MessageView = ({
  folders,
  place,
  uid
}: {
  readonly place: Place
  readonly folders: ReadonlyArray<Folder>
  readonly uid: number
}) => {
  const { account, folder } = place
  const { route } = useLocation()
  const images = useSignal<"block" | "show">("block")
  const plain = useSignal(false)
  const doing = useDoing()
  const message = useLoad(
    () =>
      call("GET /api/v1/mail/webmail/messages/:folder/:uid", {
        params: { folder, uid: String(uid) },
        query: { account, images: images.value, mark_seen: "true" }
      }),
    [images.value]
  )
  const read = message.value.value
  // Opening the message marked it as read, so the unread counts change.
  useEffect(() => {
    if (read !== undefined) changes.value++
  }, [read === undefined])

  const back = listHref(place)
  const apply = (what: Change) =>
    void doing
      .run(() => changeMessages(account, folder, [{ uid, seen: true, flagged: read!.flagged }], what))
      .then((done) => {
        if (!done) return
        if (what.action !== "flags" || what === markUnread) route(back)
        else message.value.value = { ...read!, flagged: what === star }
      })
  const about = { account, uid: String(uid), folder }
  const use = useOf(folder, folders)
  const deleted = () => apply({ action: "delete" })
  const busy = doing.busy.value
  const remote = images.value === "show" && !message.loading.value
  const compose = (kind: string) => composeHref(about.account, { [kind]: about.uid, folder })

  return (
    <article class="message">
      <p class="mail-back">
        <a href={back}>{t().back(titleOfNamed(folder, folders))}</a>
      </p>
      {read === undefined ? (
        <Loading of={message}>{() => null}</Loading>
      ) : (
        <Page title={read.subject === "" ? t().noSubject : read.subject}>
          <div class="mail-actions" role="group" aria-label={t().actions}>
            {use === "\\Drafts" ? (
              <a class="button" href={compose("draft")}>
                {t().edit}
              </a>
            ) : (
              <>
                <a class="button" href={compose("reply")}>
                  <Icon name="reply" />
                  {t().reply}
                </a>
                {read.to.length + read.cc.length > 1 ? (
                  <a class="button" href={compose("all")}>
                    {t().all}
                  </a>
                ) : null}
                <a class="button" href={compose("forward")}>
                  {t().forward}
                </a>
              </>
            )}
            <span class="apart" />
            <button
              type="button"
              class={read.flagged ? "star on" : "star"}
              aria-pressed={read.flagged}
              disabled={busy}
              onClick={() => apply(read.flagged ? unstar : star)}
            >
              <Icon name="star" />
              {t().star}
            </button>
            <button type="button" disabled={busy} onClick={() => apply(markUnread)}>
              {t().unread}
            </button>
            <MoveTo
              folder={folder}
              folders={folders}
              disabled={busy}
              move={(target) => apply({ action: "move", target })}
            />
            {use === "\\Trash" ? (
              <Sure sure={t().sure} disabled={busy} onSure={deleted}>
                {t().delete}
              </Sure>
            ) : (
              <button type="button" disabled={busy} onClick={deleted}>
                {t().delete}
              </button>
            )}
          </div>
          <Trouble problem={doing.problem.value ?? message.problem.value} />
          <dl class="facts mail-head">
            <dt>{t().from}</dt>
            <dd>
              <Addresses of={read.from} account={account} />
            </dd>
            {read.reply_to.length === 0 ||
            read.reply_to.every(({ address }) => read.from.some((from) => from.address === address)) ? null : (
              <>
                <dt>{t().replyTo}</dt>
                <dd>
                  <Addresses of={read.reply_to} account={account} />
                </dd>
              </>
            )}
            <dt>{t().to}</dt>
            <dd>
              <Addresses of={read.to} account={account} />
            </dd>
            {read.cc.length === 0 ? null : (
              <>
                <dt>{t().cc}</dt>
                <dd>
                  <Addresses of={read.cc} account={account} />
                </dd>
              </>
            )}
            {read.bcc.length === 0 ? null : (
              <>
                <dt>{t().bcc}</dt>
                <dd>
                  <Addresses of={read.bcc} account={account} />
                </dd>
              </>
            )}
            {read.date === null ? null : (
              <>
                <dt>{t().date}</dt>
                <dd>
                  <time dateTime={read.date}>
                    <At at={read.date} />
                  </time>
                </dd>
              </>
            )}
          </dl>
          <Attachments account={account} message={read} />
          {read.blocked_images === 0 || plain.value ? null : (
            <div class="note">
              <span>{t().blocked(number(read.blocked_images))}</span>
              <button type="button" onClick={() => (images.value = "show")}>
                {t().show}
              </button>
            </div>
          )}
          {read.truncated ? <div class="note">{t().truncated}</div> : null}
          {read.html === null || plain.value ? (
            <div class="mail-text" role="group" aria-label={t().body}>
              {read.text}
            </div>
          ) : (
            <MailFrame key={String(remote)} html={read.html} label={t().body} remote={remote} />
          )}
          <p class="mail-foot">
            {read.html === null ? null : (
              <button type="button" class="plain" onClick={() => (plain.value = !plain.value)}>
                {plain.value ? t().asPage : t().asText}
              </button>
            )}
            <button
              type="button"
              class="plain"
              disabled={busy}
              onClick={() => void doing.run(() => save(rawPath(about), `${read.subject.slice(0, 80) || "mail"}.eml`))}
            >
              {t().source}
            </button>
          </p>
        </Page>
      )}
    </article>
  )
}

const rawPath = ({
  account,
  folder,
  uid
}: {
  readonly account: string | undefined
  readonly folder: string
  readonly uid: string
}) =>
  `/api/v1/mail/webmail/messages/${encodeURIComponent(folder)}/${uid}/raw${account === undefined ? "" : `?account=${account}`}`
