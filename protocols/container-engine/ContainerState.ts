/**
 * Decodes a container's state from the engine's answer. Pure. Source: Docker Engine API 1.44, ContainerInspect;
 * captured from Podman 4.3.1. The rest of the answer (environment, mounts, command line) is dropped.
 */
import { Result, Schema } from "effect"
import type { ContainerEngineReason } from "./ContainerEngineError.ts"

/**
 * Result of the container's health check. `none`: it has no health check. Podman writes an empty text then; Docker
 * omits the member.
 */
export type ContainerHealth = "none" | "starting" | "healthy" | "unhealthy"

export interface ContainerState {
  /**
   * `created`, `running`, `paused`, `restarting`, `removing`, `exited`, `dead`; Podman has more values. At most 32
   * characters.
   */
  readonly status: string
  /** Docker also reports true for a paused container. */
  readonly running: boolean
  readonly health: ContainerHealth
  /** Meaningless while the container runs. */
  readonly exitCode: number
  readonly oomKilled: boolean
}

/** Longest status that is kept. Unit: characters. Reason: the longest known status has 11. */
const maxStatus = 32

const Inspection = Schema.fromJsonString(
  Schema.Struct({
    State: Schema.Struct({
      Status: Schema.String,
      Running: Schema.Boolean,
      ExitCode: Schema.Int,
      OOMKilled: Schema.optionalKey(Schema.Boolean),
      Health: Schema.optionalKey(Schema.NullOr(Schema.Struct({ Status: Schema.optionalKey(Schema.String) })))
    })
  })
)
const decodeInspection = Schema.decodeUnknownResult(Inspection)

const Complaint = Schema.fromJsonString(Schema.Struct({ message: Schema.String }))
const decodeComplaint = Schema.decodeUnknownResult(Complaint)

const healths: ReadonlyMap<string, ContainerHealth> = new Map([
  ["", "none"],
  ["none", "none"],
  ["starting", "starting"],
  ["healthy", "healthy"],
  ["unhealthy", "unhealthy"]
])

/** Meaning of a 404. A server that is not a container engine may also answer 404, so the message must match. */
export const missing = (body: string): ContainerEngineReason => {
  const complaint = decodeComplaint(body)
  const isEngine = Result.isSuccess(complaint) && /no such container/i.test(complaint.success.message)
  return isEngine ? { _tag: "NoSuchContainer" } : { _tag: "BadAnswer", why: "404 of something else" }
}

/** Decodes the answer to `GET /containers/{name}/json`. */
export const readInspection = (status: number, body: string): Result.Result<ContainerState, ContainerEngineReason> => {
  if (status === 404) return Result.fail(missing(body))
  if (status !== 200) return Result.fail({ _tag: "Refused", status })
  const inspection = decodeInspection(body)
  if (Result.isFailure(inspection)) return Result.fail({ _tag: "BadAnswer", why: "no state of a container" })
  const { ExitCode, Health, OOMKilled, Running, Status } = inspection.success.State
  const health = healths.get(Health?.Status ?? "")
  if (health === undefined) return Result.fail({ _tag: "BadAnswer", why: "unknown health" })
  return Result.succeed({
    status: Status.slice(0, maxStatus),
    running: Running,
    health,
    exitCode: ExitCode,
    oomKilled: OOMKilled ?? false
  })
}
