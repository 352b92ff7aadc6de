import { it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber } from "effect"
import { rmSync } from "node:fs"
import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createSocket } from "node:net"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { inspect, maxAnswerBytes } from "#protocols/container-engine/ContainerEngine.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Podman from "#support/peers/Podman.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

const reasonOf = (socketPath: string, name = "web", milliseconds = 5000) =>
  Effect.map(Effect.flip(inspect(socketPath, name, Duration.millis(milliseconds))), ({ reason }) => reason)

/** A server on a socket, which records the requested URLs. */
const engine = Effect.fnUntraced(function* (listener: RequestListener) {
  const socketPath = join(yield* temporaryDirectory(), "engine.sock")
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    listener(request, response)
  })
  yield* listening(server, socketPath)
  return { socketPath, asked, server }
})

const listening = (server: Server | ReturnType<typeof createSocket>, socketPath: string) =>
  Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(socketPath, resolve))),
    () =>
      Effect.sync(() => {
        if ("closeAllConnections" in server) server.closeAllConnections()
        server.close()
      })
  )

/** A server that answers any request with these bytes, then ends, stays open or repeats. */
const raw = Effect.fnUntraced(function* (bytes: string, then: "end" | "stay" | "repeat") {
  const socketPath = join(yield* temporaryDirectory(), "engine.sock")
  const server = createSocket((socket) => {
    socket.on("error", () => {})
    const go = (): void => {
      while (then === "repeat" && socket.write(bytes));
    }
    socket.on("drain", go)
    socket.once("data", () => {
      socket.write(bytes)
      if (then === "end") socket.end()
      go()
    })
  })
  yield* listening(server, socketPath)
  return socketPath
})

const running = JSON.stringify({ State: { Status: "running", Running: true, ExitCode: 0, OOMKilled: false } })

describe("the client", () => {
  it.live("asks again in older words when the newer ones are not spoken", () =>
    Effect.gen(function* () {
      const { asked, socketPath } = yield* engine((request, response) => {
        response.statusCode = request.url?.startsWith("/v1.44/") === true ? 400 : 200
        response.end(response.statusCode === 400 ? `{"message":"client version 1.44 is too new"}` : running)
      })
      expect(yield* inspect(socketPath, "web")).toMatchObject({ status: "running", running: true })
      expect(asked).toEqual(["/v1.44/containers/web/json", "/v1.24/containers/web/json"])
    })
  )

  it.live("lets no name become another request", () =>
    Effect.gen(function* () {
      const { asked, socketPath } = yield* engine((_request, response) => response.end(running))
      for (const name of [
        "",
        ".",
        "..",
        "../images",
        "a/b",
        "a?x=1",
        "a%2fb",
        "a b",
        "ä",
        "a\r\nX: y",
        "-a",
        "x".repeat(256)
      ]) {
        expect(yield* reasonOf(socketPath, name), name).toEqual({ _tag: "BadName" })
      }
      expect(asked).toEqual([])
    })
  )

  it.live("says that the socket is not there, that nobody listens, that it is no socket", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const gone = yield* Effect.flip(inspect(join(folder, "none.sock"), "web"))
      expect(gone).toMatchObject({
        reason: { _tag: "Unreachable", code: "ENOENT" },
        message: "container socket not there",
        retryable: true
      })
      expect(yield* reasonOf(folder)).toMatchObject({ _tag: "Unreachable" })
    })
  )

  it.live("waits for no engine that says nothing, little by little, or too much", () =>
    Effect.gen(function* () {
      const mute = yield* engine(() => {})
      expect(yield* reasonOf(mute.socketPath, "web", 200)).toEqual({ _tag: "TimedOut", milliseconds: 200 })
      const slow = yield* engine((_request, response) => {
        const timer = setInterval(() => response.write(" "), 20)
        response.once("close", () => clearInterval(timer))
      })
      expect(yield* reasonOf(slow.socketPath, "web", 200)).toEqual({ _tag: "TimedOut", milliseconds: 200 })
      const endless = yield* raw(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(60_000)}`, "repeat")
      expect(yield* reasonOf(endless)).toEqual({ _tag: "BadAnswer", why: "it is too long" })
      const huge = yield* raw(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(60_000)}`, "stay")
      expect(yield* reasonOf(huge)).toMatchObject({ _tag: "BadAnswer", why: "HPE_HEADER_OVERFLOW" })
      const other = yield* raw("220 mail.example ESMTP\r\n", "stay")
      expect(yield* reasonOf(other)).toMatchObject({ _tag: "BadAnswer" })
      const cut = yield* raw("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{", "end")
      expect(yield* reasonOf(cut)).toMatchObject({ _tag: "Unreachable" })
      const upgrade = yield* raw(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: tcp\r\nconnection: upgrade\r\n\r\n",
        "end"
      )
      expect(yield* reasonOf(upgrade)).toMatchObject({ _tag: "Unreachable" })
    })
  )

  it.live("takes an answer as long as it may be", () =>
    Effect.gen(function* () {
      const { socketPath } = yield* engine((_request, response) => response.end(running.padEnd(maxAnswerBytes)))
      expect(yield* inspect(socketPath, "web")).toMatchObject({ running: true })
    })
  )

  it.live("leaves no connection behind when nobody waits any more", () =>
    Effect.gen(function* () {
      const { server, socketPath } = yield* engine(() => {})
      const asking = yield* Effect.forkChild(inspect(socketPath, "web"))
      const open = Effect.promise(
        () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
      )
      while ((yield* open) === 0) yield* Effect.sleep(5)
      yield* Fiber.interrupt(asking)
      while ((yield* open) > 0) yield* Effect.sleep(5)
      expect(Exit.isFailure(yield* Fiber.await(asking))).toBe(true)
    })
  )
})

describePeers(["podman", "busybox-static"], "Podman", () => {
  it.live(
    "says of a container what the captures say",
    () =>
      Effect.gen(function* () {
        const podman = yield* Podman.make
        const look = (name: string) => inspect(podman.socketPath, name)
        yield* podman.run("web", { checked: true })
        yield* podman.check("web")
        expect(yield* look("web")).toMatchObject({ status: "running", running: true, health: "healthy" })
        yield* podman.ail("web")
        expect(yield* look("web")).toMatchObject({ running: true, health: "unhealthy" })
        yield* podman.heal("web")
        expect(yield* look("web")).toMatchObject({ running: true, health: "healthy" })
        yield* podman.stop("web")
        expect(yield* look("web")).toMatchObject({ status: "exited", running: false, exitCode: 137 })
        yield* podman.remove("web")
        expect(yield* reasonOf(podman.socketPath)).toEqual({ _tag: "NoSuchContainer" })
        yield* podman.run("plain")
        expect(yield* look("plain")).toMatchObject({ running: true, health: "none" })
        yield* podman.service.kill9
        expect(yield* reasonOf(podman.socketPath)).toEqual({ _tag: "Unreachable", code: "ECONNREFUSED" })
        yield* Effect.sync(() => rmSync(podman.socketPath))
        expect(yield* reasonOf(podman.socketPath)).toEqual({ _tag: "Unreachable", code: "ENOENT" })
      }),
    120_000
  )
})
