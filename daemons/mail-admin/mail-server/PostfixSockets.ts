/**
 * Where Postfix reaches mail-admin. The protocols have no password, so the place decides who may ask: by default
 * sockets in a directory that only Postfix may enter, because every program of a machine reaches a port on loopback.
 */
import { isAbsolute, join } from "node:path"
import * as Settings from "#core/config/Settings.ts"

export const postfixDir = Settings.optionalText("SIGNALBOX_POSTFIX_DIR", {
  doc:
    "Directory for the sockets `policy` and `lookups`, which only Postfix's group may enter (config/postfix); unset: " +
    "no sockets",
  check: (path) => (isAbsolute(path) ? undefined : "must be an absolute path")
})

/** Paths of the sockets in SIGNALBOX_POSTFIX_DIR. */
export const policySocket = (directory: string): string => join(directory, "policy")
export const lookupSocket = (directory: string): string => join(directory, "lookups")
