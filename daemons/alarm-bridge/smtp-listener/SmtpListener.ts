/**
 * SMTP listener for devices that can only send SMTP. Not placed: every alarm-bridge listens. If two run on one host,
 * the second waits for the port and takes it over within a second after the first ends.
 */
import { Cause, Duration, Effect, FiberSet, Redacted } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { AddressInfo, Socket } from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import type { SqlClient } from "effect/sql"
import { alarmSmtpPort } from "#core/config/AlarmSettings.ts"
import { BanKeeper } from "#core/gateway/BanKeeper.ts"
import { holderOf } from "#core/http/PortHolder.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import { Actor, type ActorSpec, idle } from "#core/supervision/Supervisor.ts"
import { BridgeState } from "../intake/BridgeState.ts"
import type { ListenerConfig } from "./SmtpSettings.ts"
import { SmtpListenerFailure } from "../intake/Errors.ts"
import type { MailReader } from "../intake/MailReader.ts"
import { accept, makeCollector, SmtpReply } from "./SmtpIntake.ts"
import * as UnsureMails from "./UnsureMails.ts"

/** Interval of attempts to open a port in use. Unit: seconds. */
const portRetry = Duration.seconds(1)

/** How long a stop waits for mails in progress. Unit: seconds. Reason: the whole stop may take 20 s. */
const drainTime = Duration.seconds(11)

/** Longest connection. Unit: milliseconds. Reason: a client that sends very slowly must not occupy a slot forever. */
const maxConnectionLife = 10 * 60_000

/** Delay after a wrong password. Unit: milliseconds. Reason: slows down guessing. */
const wrongPasswordPause = 1_000

/** Longest command. Unit: bytes. Source: RFC 5321 §4.5.3.1.4 asks for 512, RFC 4954 §4 for 12,288 with AUTH. */
const maxCommand = 12_288

export const listener = (
  config: Omit<ListenerConfig, "smtp">
): ActorSpec<BanKeeper | BridgeState | SqlClient.SqlClient | Jobs | MailReader> => ({
  name: "smtp listener",
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const { smtp } = yield* BridgeState
    const { banned } = yield* BanKeeper
    const certificate = yield* readCertificate(config)
    const mails = yield* FiberSet.make()
    const fork = yield* FiberSet.runtime(mails)<SqlClient.SqlClient | Jobs | MailReader>()
    const collect = makeCollector()
    const unsure = UnsureMails.make()
    const server = new SMTPServer({
      ...serverOptions(config, certificate, (address) => banned(address, Date.now())),
      onData: (stream, session, reply) =>
        collect(stream, (mail) => {
          if (mail === undefined) return
          if (mail instanceof SmtpReply) return reply(mail)
          fork(accept(mail, session, unsure)).addObserver((exit) => {
            if (exit._tag === "Success") reply(null, exit.value)
            else reply(replyTo(exit.cause))
          })
        })
    })
    // Errors of single connections; the library has already closed them.
    server.on("error", () => {})
    const sockets = holdSockets(server)
    let taken = ""
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        smtp.state = "starting"
        smtp.port = undefined
        yield* Effect.sync(() => server.server.close())
        yield* FiberSet.awaitEmpty(mails).pipe(Effect.timeoutOption(drainTime))
        // Gives the replies time to leave before the sockets are destroyed.
        yield* Effect.sleep(Duration.millis(20))
        for (const socket of sockets) socket.destroy()
      })
    )
    while (true) {
      const opened = yield* listen(server, config.smtpHost, config.smtpPort)
      if (opened !== undefined) {
        smtp.state = "listening"
        smtp.port = opened.port
        yield* actor.note(`listening on ${config.smtpHost}:${opened.port}`)
        return yield* idle
      }
      if (smtp.state !== "waiting") {
        taken = `port ${config.smtpPort} is in use by ${holderOf(config.smtpPort) ?? "another process"}`
        yield* Effect.logWarning(`${taken}: waiting for it; ${alarmSmtpPort.name} sets another port`)
      }
      smtp.state = "waiting"
      yield* actor.note(taken)
      yield* actor.progress
      yield* Effect.sleep(portRetry)
    }
  })
})

/** Refusal for a failed mail. An interruption means that the daemon stops, so the client is asked to retry. */
const replyTo = (cause: Cause.Cause<unknown>): Error => {
  const error = Cause.squash(cause)
  return error instanceof SmtpReply ? error : new SmtpReply(451, "Shutting down, try again later")
}

/** Opens the port; undefined when another process holds it. */
const listen = (server: SMTPServer, host: string, port: number) =>
  Effect.callback<AddressInfo | undefined, SmtpListenerFailure>((resume) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.server.off("listening", opened)
      resume(
        error.code === "EADDRINUSE"
          ? Effect.succeed(undefined)
          : Effect.fail(new SmtpListenerFailure({ reason: "Listen", detail: error.message }))
      )
    }
    const opened = () => {
      server.server.off("error", failed)
      resume(Effect.succeed(server.server.address() as AddressInfo))
    }
    server.server.once("error", failed)
    server.server.once("listening", opened)
    server.server.listen({ host, port, exclusive: true })
  })

/** Open connections; each is destroyed at the end of its longest life. */
const holdSockets = (server: SMTPServer): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>()
  server.server.on("connection", (socket) => {
    sockets.add(socket)
    const life = setTimeout(() => socket.destroy(), maxConnectionLife).unref()
    socket.once("close", () => {
      clearTimeout(life)
      sockets.delete(socket)
    })
  })
  return sockets
}

interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

const readCertificate = (config: ListenerConfig): Effect.Effect<Certificate | undefined, SmtpListenerFailure> =>
  config.smtpTls === "off" || config.smtpCertificate === undefined || config.smtpKey === undefined
    ? Effect.succeed(undefined)
    : Effect.tryPromise({
        try: async () => ({ cert: await readFile(config.smtpCertificate!), key: await readFile(config.smtpKey!) }),
        catch: (error) =>
          new SmtpListenerFailure({
            reason: "TlsFiles",
            detail: error instanceof Error ? error.message : String(error)
          })
      })

/** Options of the library, derived from the settings. `banned`: whether a client's address is banned. */
export const serverOptions = (
  config: ListenerConfig,
  certificate: Certificate | undefined,
  banned: (address: string) => boolean
): SMTPServerOptions => ({
  ...certificate,
  secure: config.smtpTls === "implicit",
  banner: "Signalbox alarms",
  logger: false,
  size: config.smtpMaxBytes,
  rejectOversized: true,
  maxClients: config.smtpMaxConnections,
  maxCommandLength: maxCommand,
  socketTimeout: config.smtpTimeout * 1000,
  disableReverseLookup: true,
  hideENHANCEDSTATUSCODES: false,
  // Devices send malformed addresses. Addresses are only stored as information, so lenient parsing is safe.
  lenientAddressParsing: true,
  // Without a certificate the library would offer its own, whose private key is public.
  disabledCommands: [...(config.smtpTls === "off" ? ["STARTTLS"] : []), ...(config.smtpAuth === "off" ? ["AUTH"] : [])],
  authOptional: config.smtpAuth !== "required",
  allowInsecureAuth: config.smtpTls === "off",
  authMethods: ["PLAIN", "LOGIN"],
  onAuth: (auth, _session, done) => {
    const right =
      same(auth.username ?? "", config.smtpUser ?? "") &&
      same(auth.password ?? "", config.smtpPassword === undefined ? "" : Redacted.value(config.smtpPassword))
    if (right && config.smtpPassword !== undefined) done(null, { user: auth.username })
    else setTimeout(() => done(new SmtpReply(535, "Authentication credentials invalid")), wrongPasswordPause)
  },
  // 554: the client must not send here. Source: RFC 5321 §3.1.
  onConnect: (session, done) =>
    done(banned(session.remoteAddress) ? new SmtpReply(554, "This address is banned") : undefined),
  onMailFrom: (_address, session, done) =>
    done(
      config.smtpTls === "required" && !session.secure
        ? new SmtpReply(530, "Must issue a STARTTLS command first")
        : null
    )
})

/** Compares two texts in constant time. */
const same = (given: string, wanted: string): boolean => {
  const hash = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}
