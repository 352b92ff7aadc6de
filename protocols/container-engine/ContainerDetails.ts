/**
 * Decodes the state of a container with its image, start, restarts and process. Pure. The environment, labels, mounts
 * and command line may hold secrets, so they are dropped. Source: Docker Engine API 1.44, ContainerInspect.
 */
import { Result, Schema } from "effect"
import type { ContainerEngineReason } from "./ContainerEngineError.ts"
import { type ContainerState, readInspection } from "./ContainerState.ts"

export interface ContainerDetails extends ContainerState {
  /** At most 255 characters. */
  readonly image: string
  /** Null for a container that was never started. */
  readonly startedAt: Date | null
  /** Restarts by the engine's own policy. */
  readonly restarts: number
  /** Null while the container does not run. */
  readonly pid: number | null
  /** A terminal: its log has no frames. */
  readonly tty: boolean
  /** Whether its standard input is open. */
  readonly input: boolean
  /** Name of the log driver as the engine writes it, at most 32 characters. Empty: not known. */
  readonly logDriver: string
}

/** Longest image name, and longest name of a log driver, that is kept. Unit: characters. */
const maxImage = 255
const maxDriver = 32

const Inspection = Schema.fromJsonString(
  Schema.Struct({
    State: Schema.Struct({ StartedAt: Schema.optionalKey(Schema.String), Pid: Schema.optionalKey(Schema.Int) }),
    RestartCount: Schema.optionalKey(Schema.Int),
    ImageName: Schema.optionalKey(Schema.String),
    Config: Schema.optionalKey(
      Schema.Struct({
        Image: Schema.optionalKey(Schema.String),
        Tty: Schema.optionalKey(Schema.Boolean),
        OpenStdin: Schema.optionalKey(Schema.Boolean)
      })
    ),
    HostConfig: Schema.optionalKey(
      Schema.Struct({ LogConfig: Schema.optionalKey(Schema.Struct({ Type: Schema.optionalKey(Schema.String) })) })
    )
  })
)
const decode = Schema.decodeUnknownResult(Inspection)

/** Decodes the answer to `GET /containers/{name}/json`. */
export const readDetails = (status: number, body: string): Result.Result<ContainerDetails, ContainerEngineReason> => {
  const state = readInspection(status, body)
  if (Result.isFailure(state)) return Result.fail(state.failure)
  const inspection = decode(body)
  if (Result.isFailure(inspection)) return Result.fail({ _tag: "BadAnswer", why: "no details of a container" })
  const { Config, HostConfig, ImageName, RestartCount, State } = inspection.success
  const startedAt = new Date(State.StartedAt ?? "")
  return Result.succeed({
    ...state.success,
    image: (Config?.Image ?? ImageName ?? "").slice(0, maxImage),
    // The zero time of Go, year 1, stands for never.
    startedAt: startedAt.getTime() > 0 ? startedAt : null,
    restarts: RestartCount ?? 0,
    pid: State.Pid === undefined || State.Pid === 0 ? null : State.Pid,
    tty: Config?.Tty ?? false,
    input: Config?.OpenStdin ?? false,
    logDriver: (HostConfig?.LogConfig?.Type ?? "").slice(0, maxDriver)
  })
}
