/** Version of this program, the one in package.json. */
import manifest from "../../package.json" with { type: "json" }

export const version: string = manifest.version

/** Header `user-agent` of requests to other servers. */
export const userAgent = `Signalbox/${version}`
