import { expect, it } from "vitest"
import { kindOf } from "./ProcessKinds.ts"

it.each([
  ["/usr/bin/chromium --headless=new", "browsers", "chromium"],
  ["setpriv --pdeathsig TERM -- /usr/sbin/dovecot -F -c x", "servers", "dovecot"],
  ["/p/bin/signalbox up", "daemons as processes", "signalbox"],
  [
    "setpriv --pdeathsig KILL -- /p/bin/pinned-node --enable-source-maps /p/dist/signalbox.js run",
    "daemons as processes",
    "signalbox"
  ],
  ["env A=b /x/bin/node /p/tests/support/FrameProcess.ts", "daemons as processes", "FrameProcess.ts"],
  ["setpriv --reuid 9 -- /x/bin/postgres -D d", "own Postgres servers", "postgres"],
  ["/x/bin/node /p/scripts/buildConsole.ts out", "other programs", "buildConsole.ts"],
  ["openssl req", "other programs", "openssl"],
  ["constructor", "other programs", "constructor"],
  ["", "other programs", "unknown"]
])("%s", (line, cause, kind) => {
  expect(kindOf(line.split(" "))).toEqual({ cause, kind })
})
