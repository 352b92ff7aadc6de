/** The settings as handlers and actors find them. */
import { Context, Layer } from "effect"
import type { StatusCheckerConfig } from "./Config.ts"

/** Where it listens unless it is told otherwise. */
export const port = 8112

export class StatusConfig extends Context.Service<StatusConfig, StatusCheckerConfig>()(
  "signalbox/status-checker/StatusConfig"
) {}

export const layer = (config: StatusCheckerConfig): Layer.Layer<StatusConfig> => Layer.succeed(StatusConfig, config)

/** The address of the page, without a final slash. */
export const baseOf = ({ baseUrl }: Pick<StatusCheckerConfig, "baseUrl">): string =>
  baseUrl?.replace(/\/+$/, "") ?? `http://localhost:${port}`
