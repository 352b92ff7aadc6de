import { number } from "../../lib/Format.ts"
import { bothMoments } from "../../lib/Format.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { day } from "./Day.ts"
import { messageHref, type Place } from "./Place.ts"
import type { Row } from "./Shapes.ts"

type Thread = Answer<"GET /api/v1/mail/webmail/threads/:folder">["items"][number]

const t = words({
  en: {
    caption: "Conversations",
    noSubject: "(no subject)",
    unread: "unread",
    count: (count: string) => `${count} mails`
  },
  de: {
    caption: "Unterhaltungen",
    noSubject: "(kein Betreff)",
    unread: "ungelesen",
    count: (count: string) => `${count} Mails`
  }
})

/** Names of the senders, each once, oldest first. */
const senders = (messages: ReadonlyArray<Row>): string =>
  [...new Set(messages.map(({ from_addr, from_name }) => (from_name === "" ? from_addr : from_name)))].join(", ")

const Mail = ({ mail, place }: { readonly mail: Row; readonly place: Place }) => (
  <li class={mail.seen ? "" : "unread"}>
    <a href={messageHref(place, mail.uid)}>{mail.from_name === "" ? mail.from_addr : mail.from_name}</a>
    {mail.seen ? null : <span class="sr"> {t().unread}</span>}
    {mail.date === null ? null : <time title={bothMoments(mail.date)}>{day(mail.date)}</time>}
  </li>
)

/** Conversations of a folder, newest first. A conversation of several messages unfolds. */
export const Threads = ({ items, place }: { readonly items: ReadonlyArray<Thread>; readonly place: Place }) => (
  <ul class="mail-threads" aria-label={t().caption}>
    {items.map(({ count, messages }) => {
      const newest = messages.at(-1)!
      const subject = newest.subject === "" ? t().noSubject : newest.subject
      const isUnread = messages.some(({ seen }) => !seen)
      return (
        <li key={newest.uid} class={isUnread ? "unread" : ""}>
          <div class="thread-head">
            <a href={messageHref(place, newest.uid)}>{subject}</a>
            {isUnread ? <span class="sr"> {t().unread}</span> : null}
            <span class="from">{senders(messages)}</span>
            {newest.date === null ? null : <time title={bothMoments(newest.date)}>{day(newest.date)}</time>}
          </div>
          {count < 2 ? null : (
            <details>
              <summary>
                {t().count(number(count))}
                <span class="sr">: {subject}</span>
              </summary>
              <ol>
                {messages.map((mail) => (
                  <Mail key={mail.uid} mail={mail} place={place} />
                ))}
              </ol>
            </details>
          )}
        </li>
      )
    })}
  </ul>
)
