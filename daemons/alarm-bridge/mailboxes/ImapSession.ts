/**
 * One signed-in IMAP session with its folder open for reading only (EXAMINE): it marks and deletes nothing, whatever
 * rights the account has. The session ends with the scope; a lost connection fails whatever is asked next.
 */
import { type Duration, Effect, Latch, Redacted, type Scope } from "effect"
import { ImapFlow, type ImapFlowError } from "imapflow"
import { readFileSync } from "node:fs"
import { MailboxFailure } from "../intake/Errors.ts"
import type { MailboxSettings } from "./MailboxSettings.ts"

/** From name look-up to TLS. Unit: milliseconds. */
const connectTimeout = 20_000

/** Unit: milliseconds. */
const greetingTimeout = 15_000

/**
 * How long the server may be silent while something is owed, or in IDLE before it is asked for a sign of life. Unit:
 * milliseconds. Reason: a connection that a router forgot is found within twice this.
 */
const socketTimeout = 90_000

/** Bytes of each message fetched at once; alarms are smaller. Unit: bytes. */
export const firstFetch = 256 * 1024

/** Largest message fetched whole. Unit: bytes. Of a larger one the first `firstFetch` bytes are read. */
export const maxFetch = 25 * 1024 * 1024

/** Bounds on what a server may make us hold. Unit: bytes. A line holds the UIDs of a search: a million of them fit. */
const maxLine = 8 * 1024 * 1024
const maxResponse = maxFetch + maxLine

/** Longest text of a server that gets into a message of ours. Unit: characters. */
const maxDetail = 200

export interface FetchedMail {
  readonly uid: number
  readonly internalDate: Date
  readonly source: Uint8Array
}

export interface ImapSession {
  readonly uidValidity: bigint
  readonly uidNext: number
  /** Whether the server offers IDLE. */
  readonly idles: boolean
  /** Lets the server say what is new. */
  readonly noop: Effect.Effect<void, MailboxFailure>
  /** All UIDs from `first` on, ascending. */
  readonly uidsFrom: (first: number) => Effect.Effect<ReadonlyArray<number>, MailboxFailure>
  /** These messages, as far as the server hands them out, ascending; each whole, or its first part when it is huge. */
  readonly fetch: (uids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<FetchedMail>, MailboxFailure>
  /** The header alone of a message whose body the server cannot give; undefined when it gives none either. */
  readonly fetchHeader: (uid: number) => Effect.Effect<FetchedMail | undefined, MailboxFailure>
  /** Waits for news: in IDLE where there is one; true when there are some, false after `atMost`. */
  readonly wait: (atMost: Duration.Duration) => Effect.Effect<boolean, MailboxFailure>
}

export const open = Effect.fnUntraced(function* (
  mailbox: MailboxSettings,
  password: Redacted.Redacted
): Effect.fn.Return<ImapSession, MailboxFailure, Scope.Scope> {
  const news = Latch.makeUnsafe(false)
  let pending = false
  let lost: unknown
  let closed = false
  const ring = () => {
    pending = true
    Latch.openUnsafe(news)
  }
  const client = yield* Effect.acquireRelease(
    Effect.try({ try: () => makeClient(mailbox, password), catch: failureOf(mailbox.name) }),
    (client) => Effect.sync(() => client.close())
  )
  client.on("error", (error) => {
    lost ??= error
    ring()
  })
  client.on("close", () => {
    closed = true
    ring()
  })
  client.on("exists", ring)

  // Breaking IDLE for a command of ours also ends its promise; only an end that nobody asked for is news.
  let asked = true
  const ask = <A>(work: () => Promise<A>): Effect.Effect<A, MailboxFailure> =>
    Effect.tryPromise({
      try: () => {
        asked = true
        return work()
      },
      catch: (error) => failureOf(mailbox.name)(lost ?? error)
    })
  const idle = () => {
    asked = false
    const ended = () => {
      if (!asked) ring()
    }
    client.idle().then(ended, ended)
  }

  yield* ask(() => client.connect())
  const opened = yield* ask(() => client.mailboxOpen(mailbox.folder, { readOnly: true }))
  const status = opened.uidNext > 0 ? undefined : yield* ask(() => client.status(mailbox.folder, { uidNext: true }))
  const uidNext = status ? status.uidNext : opened.uidNext
  if (uidNext === undefined) {
    return yield* new MailboxFailure({
      reason: "CommandRefused",
      mailbox: mailbox.name,
      detail: "the server tells no UIDNEXT"
    })
  }

  const fetchWhole = (uid: number) =>
    ask(() => client.fetchOne(String(uid), { uid: true, source: { start: 0, maxLength: maxFetch } }, { uid: true }))

  return {
    uidValidity: opened.uidValidity,
    uidNext,
    idles: client.capabilities.has("IDLE"),
    noop: ask(() => client.noop()),
    uidsFrom: (first) =>
      Effect.flatMap(
        ask(() => client.search({ uid: `${first}:*` }, { uid: true })),
        (found) =>
          found === false || found === undefined
            ? Effect.fail(new MailboxFailure({ reason: "CommandRefused", mailbox: mailbox.name, detail: "UID SEARCH" }))
            : // `n:*` always names the last message, even one below n.
              Effect.succeed(found.filter((uid) => uid >= first).sort((a, b) => a - b))
      ),
    fetch: Effect.fnUntraced(function* (uids) {
      const wanted = new Set(uids)
      const found = (yield* ask(() =>
        client.fetchAll(
          uids.join(","),
          { uid: true, size: true, internalDate: true, source: { start: 0, maxLength: firstFetch } },
          { uid: true }
        )
      )).filter((message) => wanted.has(message.uid) && message.source !== undefined)
      const mails: Array<FetchedMail> = []
      for (const message of found.sort((a, b) => a.uid - b.uid)) {
        const size = message.size ?? 0
        const whole = size > firstFetch && size <= maxFetch ? yield* fetchWhole(message.uid) : undefined
        mails.push({
          uid: message.uid,
          internalDate: new Date(message.internalDate ?? Date.now()),
          source: (whole ? whole.source : undefined) ?? message.source!
        })
      }
      return mails
    }),
    fetchHeader: (uid) =>
      Effect.map(
        ask(() => client.fetchOne(String(uid), { uid: true, internalDate: true, headers: true }, { uid: true })),
        (message) =>
          message === false || message === undefined || message.headers === undefined
            ? undefined
            : { uid, internalDate: new Date(message.internalDate ?? Date.now()), source: message.headers }
      ),
    wait: Effect.fnUntraced(function* (atMost) {
      if (client.capabilities.has("IDLE") && !pending && !client.idling) idle()
      const woken = yield* news.await.pipe(Effect.timeoutOption(atMost))
      if (closed || lost !== undefined) {
        return yield* failureOf(mailbox.name)(lost ?? new Error("the server closed the connection"))
      }
      if (woken._tag === "None") return false
      pending = false
      Latch.closeUnsafe(news)
      return true
    })
  }
})

const makeClient = (mailbox: MailboxSettings, password: Redacted.Redacted): ImapFlow =>
  new ImapFlow({
    host: mailbox.host,
    port: mailbox.port,
    secure: mailbox.tls === "implicit",
    ...(mailbox.tls === "implicit" ? {} : { doSTARTTLS: mailbox.tls === "starttls" }),
    tls: {
      rejectUnauthorized: mailbox.tlsVerify,
      ...(mailbox.ca === undefined ? {} : { ca: readFileSync(mailbox.ca) })
    },
    auth: { user: mailbox.user, pass: Redacted.value(password) },
    // Its log lines would hold what the server says in words of its own; ours say what matters.
    logger: false,
    clientInfo: { name: "signalbox" },
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    connectionTimeout: connectTimeout,
    greetingTimeout,
    socketTimeout,
    maxLineLength: maxLine,
    maxLiteralSize: maxFetch + 1024,
    maxResponseSize: maxResponse
  })

/** What went wrong, in our words; the library's errors carry the commands they sent and must not get further. */
export const failureOf =
  (mailbox: string) =>
  (error: unknown): MailboxFailure => {
    const {
      authenticationFailed,
      code,
      mailboxMissing,
      message,
      responseStatus,
      responseText,
      serverResponseCode,
      tlsFailed
    } = (error ?? {}) as Partial<ImapFlowError>
    const fail = (reason: MailboxFailure["reason"], detail: string | undefined) =>
      new MailboxFailure({ reason, mailbox, detail: (detail ?? "").replace(/\s+/g, " ").slice(0, maxDetail) })
    // RFC 5530: UNAVAILABLE says that a part of the server is away, not that the password is wrong.
    if (authenticationFailed === true && serverResponseCode !== "UNAVAILABLE")
      return fail("SignInRefused", responseText)
    if (mailboxMissing === true) return fail("FolderMissing", responseText)
    if (tlsFailed === true || unreachable.has(code ?? "")) return fail("Unreachable", message)
    if (responseStatus === "NO" || responseStatus === "BAD") return fail("CommandRefused", responseText)
    return fail("ConnectionLost", message)
  }

const unreachable = new Set([
  "CONNECT_TIMEOUT",
  "GREETING_TIMEOUT",
  "UPGRADE_TIMEOUT",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENOENT",
  "ClosedAfterConnectText",
  "ClosedAfterConnectTLS",
  "STARTTLS_INJECTION",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID"
])
