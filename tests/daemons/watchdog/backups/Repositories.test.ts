/** Repositories on other hosts: over SFTP with a real OpenSSH, and on S3-compatible storage with a double. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { Environment, settings } from "#core/config/Environment.ts"
import * as Restic from "#daemons/watchdog/backups/engine/Restic.ts"
import * as Retention from "#daemons/watchdog/backups/Retention.ts"
import { backupSettings } from "#daemons/watchdog/backups/Settings.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Sshd from "#support/peers/Sshd.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { makeKeyCheap } from "#support/ResticRepository.ts"
import { S3Double } from "#support/S3Double.ts"
import { password } from "./BackupSuite.ts"
import { oneDay } from "./WallClock.ts"

const resticOf = (env: Readonly<Record<string, string>>) =>
  Effect.map(Effect.provideService(settings(backupSettings), Environment, env), Restic.make)

/** Everything that the daemon asks of a repository. `repository`: its folder on this machine, to make its key cheap. */
const isComplete = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>, repository?: string) {
  const restic = yield* resticOf(env)
  const folder = yield* temporaryDirectory("source")
  writeFileSync(join(folder, "file"), "content")
  expect(yield* Effect.flip(restic.snapshots)).toMatchObject({ reason: "NoRepository" })
  yield* restic.init
  if (repository !== undefined) makeKeyCheap(repository, password)
  const options = { cwd: folder, excludes: [], onProgress: () => {} }
  yield* oneDay
  const made = yield* restic.backup({ ...options, paths: ["file"], tags: [Retention.ownTag, "type:full"] })
  expect(made).toMatchObject({ files: 1, size: 7 })
  const [first, ...others] = yield* restic.snapshots
  expect(first!.id.startsWith(made.shortId)).toBe(true)
  expect(others).toEqual([])
  const target = yield* temporaryDirectory("target")
  yield* restic.restore({ snapshot: first!.id, target })
  expect(readFileSync(join(target, "file"), "utf8")).toBe("content")
  yield* restic.backup({ ...options, paths: ["file"], tags: [Retention.ownTag, "type:full"] })
  expect((yield* Retention.apply(restic, ["full"], false)).remove.map(({ id }) => id)).toEqual([first!.id])
  yield* restic.prune
  yield* restic.check(100)
  expect(yield* restic.unlockOwn).toBe(0)
  const wrong = yield* resticOf({ ...env, SIGNALBOX_BACKUP_PASSWORD: "another one" })
  expect(yield* Effect.flip(wrong.snapshots)).toMatchObject({ reason: "WrongPassword" })
})

describePeers(["restic", "sshd"], "a repository over SFTP", () => {
  it.live(
    "is made, written, read and pruned; a server with another key is refused, and one that is away named",
    () =>
      Effect.gen(function* () {
        const sshd = yield* Sshd.make
        const repository = join(sshd.folder, "repository")
        const env = {
          SIGNALBOX_DATA_DIR: yield* temporaryDirectory("data"),
          SIGNALBOX_BACKUP_REPOSITORY: `sftp://${sshd.user}@127.0.0.1:${sshd.port}/${repository}`,
          SIGNALBOX_BACKUP_PASSWORD: password,
          SIGNALBOX_BACKUP_SSH_KEY_FILE: sshd.keyFile,
          SIGNALBOX_BACKUP_SSH_KNOWN_HOSTS: sshd.knownHosts
        }
        yield* isComplete(env, repository)
        expect(readdirSync(join(repository, "snapshots"))).toHaveLength(1)

        const unknown = join(sshd.folder, "nobody known")
        writeFileSync(unknown, "")
        const stranger = yield* resticOf({ ...env, SIGNALBOX_BACKUP_SSH_KNOWN_HOSTS: unknown })
        const refused = yield* Effect.flip(stranger.snapshots)
        expect(refused.reason).toBe("Unreachable")
        // restic may end before it has read the reason that ssh gives.
        expect(refused.message).toMatch(/Host key verification failed|unable to start the sftp session/)
        yield* sshd.stop
        const away = yield* Effect.flip((yield* resticOf(env)).snapshots)
        expect(away.reason).toBe("Unreachable")
        expect(away.message).toMatch(/Connection refused|unable to start the sftp session/)
      }).pipe(Effect.scoped),
    240_000
  )
})

describePeers(["restic"], "a repository on S3-compatible storage", () => {
  it.live(
    "is made, written, read and pruned; a wrong secret is refused and not shown",
    () =>
      Effect.gen(function* () {
        const s3 = yield* Effect.acquireRelease(
          Effect.sync(() => new S3Double("key-id", "secret-key")),
          (double) => Effect.promise(() => double.stop())
        )
        const url = yield* Effect.promise(() => s3.start())
        const env = {
          SIGNALBOX_DATA_DIR: yield* temporaryDirectory("data"),
          SIGNALBOX_BACKUP_REPOSITORY: `s3:${url}/bucket/below`,
          SIGNALBOX_BACKUP_PASSWORD: password,
          SIGNALBOX_BACKUP_S3_KEY_ID: "key-id",
          SIGNALBOX_BACKUP_S3_SECRET: "secret-key"
        }
        yield* isComplete(env)
        expect(s3.keys("bucket").filter((key) => key.startsWith("below/snapshots/"))).toHaveLength(1)
        expect(s3.refused).toEqual([])
        const wrong = yield* resticOf({ ...env, SIGNALBOX_BACKUP_S3_SECRET: "another-secret" })
        const refused = yield* Effect.flip(wrong.snapshots)
        expect(refused.reason).toBe("Unreachable")
        expect(refused.message).not.toContain("another-secret")
        expect(s3.refused).toContain("SignatureDoesNotMatch")
      }).pipe(Effect.scoped),
    240_000
  )
})
