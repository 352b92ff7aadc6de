// Runs before the build, at the end of an install: says which Node is supported, and stops when packages are missing.

import { oldNodeLine, requireInstalled } from "./devTools.ts"

const line = oldNodeLine(process.env["npm_config_user_agent"])
if (line !== undefined) process.stderr.write(`${line}\n`)
requireInstalled()
