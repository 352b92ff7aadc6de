/**
 * Hosts in configuration files of nginx, Caddy and Traefik, including the shipped ones. Unreadable parts are reported.
 */
import * as fc from "fast-check"
import { Effect } from "effect"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readCaddyfile } from "#daemons/edge-auth/routes/proxies/CaddyFile.ts"
import { readNginx } from "#daemons/edge-auth/routes/proxies/NginxFile.ts"
import { readProxyFiles } from "#daemons/edge-auth/routes/proxies/ProxyFiles.ts"
import { readTraefik } from "#daemons/edge-auth/routes/proxies/TraefikFile.ts"
import type { Read } from "#daemons/edge-auth/routes/proxies/Read.ts"

const shipped = new URL("../../../../../config/", import.meta.url).pathname
let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-proxy-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Text form of each host; `!` marks hosts without authentication. */
const short = ({ places }: Pick<Read, "places">) => places.map(({ asks, host }) => `${host}${asks ? "" : " !"}`)
const nginx = (text: string) => readNginx("n", text, () => undefined)

describe("nginx", () => {
  it("distinguishes servers that ask from others", () => {
    const read = nginx(`
      http {
        # server { server_name comment.example; }
        server { server_name a.example "b.example" A.Example.; auth_request /verify; location / { proxy_pass http://x; } }
        server { server_name c.example; location / { return 200 "auth_request /verify;"; } }
        server { server_name d.example; auth_request /verify; location /open { auth_request off; } location @named { auth_request off; } location = /i { internal; auth_request off; } }
        server { server_name e.example; location /in { auth_request /v; location /in/out { auth_request off; } } }
        server{server_name f.example;auth_request off;set $x "\${y}z";set $z ${"${"}y}z;}
      }`)
    expect(short(read)).toEqual([
      "a.example",
      "b.example",
      "a.example",
      "c.example !",
      "d.example",
      "d.example !",
      "e.example !",
      "e.example",
      "e.example !",
      "f.example !"
    ])
    expect(read.places[5]!.where).toBe("n:6 location /open")
    expect(read.unread).toEqual([])
  })

  it("inherits outer settings, which inner settings override", () => {
    expect(
      short(
        nginx(
          "http { auth_request /v; server { server_name a.example; } server { server_name b.example; auth_request off; } }"
        )
      )
    ).toEqual(["a.example", "b.example !"])
  })

  it("reports name patterns, unreadable files and unclosed blocks", () => {
    expect(nginx('http { server { server_name ~^(.+)\\.example$ *.b.example .c.example _ ""; } }').unread).toHaveLength(
      3
    )
    expect(nginx("http { include /etc/other.conf; include mime.types; include fastcgi_params; }").unread).toEqual([
      "n:1: include /etc/other.conf cannot be read; a check in it is not found"
    ])
    expect(nginx("http { server { server_name a.example; }").unread).toEqual(["n: a block is not closed"])
    expect(nginx("http { } }").unread).toEqual(["n: line 1: a closing brace without an opening one"])
    expect(nginx("a {".repeat(50)).unread[0]).toMatch(/more than 32 nested blocks/)
  })

  it("follows includes, also in the shipped files", async () => {
    cpSync(join(shipped, "nginx"), folder, { recursive: true })
    writeFileSync(
      join(folder, "nginx.conf"),
      `http { include sites-*.conf; server { server_name auth.example; include edge-auth-login.conf; } }`
    )
    writeFileSync(
      join(folder, "sites-a.conf"),
      "server { server_name a.example; include edge-auth.conf; include edge-handoff.conf; location / { proxy_pass http://x; } }"
    )
    writeFileSync(join(folder, "sites-b.conf"), "server { server_name b.example; location / { proxy_pass http://x; } }")
    const read = await Effect.runPromise(
      readProxyFiles([join(folder, "nginx.conf"), join(folder, "none.conf"), folder])
    )
    expect(short(read)).toEqual(["a.example", "b.example !", "auth.example !"])
    expect(read.unread).toEqual([
      `${join(folder, "none.conf")}: cannot be read (ENOENT)`,
      `${folder}: is not a regular file`
    ])
    writeFileSync(join(folder, "again.conf"), "http { include again.conf; server { server_name a.example; } }")
    expect((await Effect.runPromise(readProxyFiles([join(folder, "again.conf")]))).unread.join()).toMatch(
      /cannot be read/
    )
    writeFileSync(join(folder, "long.conf"), " ".repeat(600_000))
    expect((await Effect.runPromise(readProxyFiles([join(folder, "long.conf")]))).unread).toEqual([
      `${join(folder, "long.conf")}: is longer than 524288 bytes`
    ])
  })
})

describe("Caddy", () => {
  const caddy = (text: string) => readCaddyfile("c", text)

  it("distinguishes sites that ask from others, also by snippets", () => {
    const snippets = ["auth", "handoff"]
      .map((name) => readFileSync(join(shipped, `caddy/edge-${name}.caddyfile`), "utf8"))
      .join("\n")
    const read = caddy(`{
	admin off
}
${snippets}
a.example, https://b.example:8443 {
	import signalbox_edge
	reverse_proxy x
}
c.example {
	reverse_proxy x # forward_auth
}
d.example {
	forward_auth /private/* x {
		uri /verify
	}
}
e.example {
	handle /.signalbox/handoff {
		import signalbox_edge_handoff
	}
	handle {
		import signalbox_edge
		reverse_proxy x
	}
}
f.example {
	handle /open/* {
		respond 200
	}
	handle {
		import signalbox_edge
	}
}
g.example {
	route {
		forward_auth x
	}
}
auth.example {
	import signalbox_edge_login
}
h.example {
	handle /private/* {
		import signalbox_edge
	}
	reverse_proxy x
}`)
    expect(read.unread).toEqual([])
    expect(short(read)).toEqual([
      "a.example",
      "b.example",
      "c.example !",
      "d.example !",
      "d.example",
      "e.example",
      "e.example",
      "f.example",
      "f.example !",
      "f.example",
      "g.example",
      "auth.example !",
      "h.example !",
      "h.example"
    ])
  })

  it("reports address patterns, snippets of other files, and a site without braces", () => {
    expect(caddy("*.a.example {\n}\n:443 {\n}\n{$HOST} {\n}\n").unread).toHaveLength(3)
    expect(caddy("a.example {\n\timport other\n}\n").unread).toEqual([
      "c:2: import other is not in this file; a check in it is not found"
    ])
    expect(caddy("a.example\nreverse_proxy x\n").unread[0]).toMatch(/without braces/)
    expect(caddy("(a) {\n\timport a\n}\nb.example {\n\timport a\n}\n").places).toEqual([
      { host: "b.example", asks: false, where: "c:4 b.example" }
    ])
  })
})

describe("Traefik", () => {
  const yaml = `http:
  routers:
    one:
      rule: "Host(\`a.example\`) || Host(\`B.example\`)"
      middlewares: [edge, other]
      service: x
    two:
      rule: Host(\`c.example\`) && PathPrefix(\`/x\`)
      middlewares:
        - secure@file
    three:
      rule: "Host('d.example')"
      middlewares:
      - other
    four: { rule: x }
    five:
      rule: HostRegexp(\`.+\`)
      middlewares: [edge@docker]
  middlewares:
    edge: # ours
      forwardAuth:
        address: "http://127.0.0.1:8113/verify"
    secure:
      chain:
        middlewares:
          - edge
    other:
      headers:
        frameDeny: true
`
  it("distinguishes routers that ask from others, also by chains", () => {
    const read = readTraefik("t", yaml, "yaml")
    expect(short(read)).toEqual(["a.example", "b.example", "c.example", "d.example !"])
    expect(read.unread).toEqual([
      "t:15 router four: its rule names no host",
      "t:16 router five: the hosts of its rule are not known",
      "t:16 router five: its rule names no host"
    ])
  })

  it("reads rules over several lines, inline tables, anchors and merged keys", () => {
    const read = readTraefik(
      "t",
      `
defaults: &defaults
  middlewares: [edge]
http:
  routers:
    folded:
      rule: >-
        Host(\`a.example\`) ||
        Host(\`b.example\`)
      <<: *defaults
    quoted:
      rule: "Host(\`c.example\`,
        \`d.example\`)"
    inline: { rule: "Host(\`e.example\`)", middlewares: [edge] }
    elsewhere: { rule: "Host(\`f.example\`)", middlewares: [edge@docker, missing] }
  middlewares: { edge: { forwardAuth: { address: "http://x" } } }
`,
      "yaml"
    )
    expect(short(read)).toEqual(["a.example", "b.example", "c.example !", "d.example !", "e.example", "f.example !"])
    expect(read.unread).toEqual([
      "t: the middleware edge@docker is not in this file; whether it asks is not known",
      "t: the middleware missing is not in this file; whether it asks is not known"
    ])
  })

  it("reports files that are not valid, and aliases without end", () => {
    expect(readTraefik("t", "http: {{ range . }}\n  routers: [", "yaml").unread.join()).toMatch(
      /^t: is not valid YAML: /
    )
    expect(readTraefik("t", "[http.routers.a]\nrule =", "toml").unread.join()).toMatch(/^t: is not valid TOML: /)
    const bomb = Array.from({ length: 9 }, (_, n) => `a${n}: &a${n} [${Array(9).fill(n === 0 ? "x" : `*a${n - 1}`)}]`)
    expect(readTraefik("t", bomb.join("\n"), "yaml").unread.join()).toMatch(/^t: is not valid YAML: .*alias/)
  })

  it("reads TOML in the same way", () => {
    const toml =
      '[http.routers.one]\n  rule = "Host(`a.example`)"\n  middlewares = ["edge"]\n[http.routers.two]\nrule = \'Host(`b.example`)\'\n[http.middlewares.edge.forwardAuth]\n  address = "http://x/verify"\n'
    expect(short(readTraefik("t", toml, "toml"))).toEqual(["a.example", "b.example !"])
    const long = 'http.routers.one = { rule = """\nHost(`c.example`)\n|| Host(`d.example`)""" }'
    expect(short(readTraefik("t", long, "toml"))).toEqual(["c.example !", "d.example !"])
  })
})

it("never fails on any text, and never reports an unchecked host as checked", () => {
  const piece = fc.constantFrom(
    "server",
    "server_name",
    "a.example",
    "{",
    "}",
    ";",
    "\n",
    '"',
    "'",
    "#",
    "location",
    "import",
    "(",
    ")",
    "http:",
    "  ",
    "rule:",
    "Host(`a.example`)",
    "-",
    "[",
    "]",
    "include",
    "\\",
    "$x"
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join(" ")
      for (const read of [
        nginx(text),
        readCaddyfile("c", text),
        readTraefik("t", text, "yaml"),
        readTraefik("t", text, "toml")
      ])
        expect(read.places.some(({ asks }) => asks)).toBe(false)
    })
  )
  const long = "x\"'{ ".repeat(20_000)
  const begun = performance.now()
  for (const read of [nginx(long), readCaddyfile("c", long), readTraefik("t", long, "yaml")])
    expect(read.places).toEqual([])
  expect(performance.now() - begun).toBeLessThan(5_000)
})
