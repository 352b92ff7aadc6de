/**
 * The web console in a real browser, over real daemons behind the gateway. One suite per test file.
 *
 *   const console = consoleTests()                            // at the top of a file
 *   const anna = await console.user({ role: "admin" })
 *   const page = await console.open(anna, "/notifications")   // signed in with a session cookie
 *   await console.emit("mail.new_message", {…}, { userId: anna.id })
 *   await checkPage(page, "notifications")                    // axe-core and screenshots: CheckPage.ts
 *
 * A test fails when a page logs an error, violates its Content-Security-Policy or requests a different origin.
 * `expecting` names exceptions.
 */
import { Effect, Exit, Scope } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest"
import type { Daemon } from "#core/daemon/Daemon.ts"
import type { Audience } from "#core/events/Events.ts"
import { alarmBridge } from "#daemons/alarm-bridge/Daemon.ts"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { provisioning } from "#daemons/provisioning/Daemon.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { cheapHash } from "../CheapArgon2.ts"
import { until } from "../Frame.ts"
import { ensurePeers } from "../peers/install.ts"
import { sharedBrowser } from "../TestBrowser.ts"
import { startSuite, type TestSuite } from "../TestSuite.ts"
import { ensureConsole } from "./Build.ts"
import { type PooledPage, returnPage, takePage } from "./PagePool.ts"

/** Password of all test users. */
export const password = "correct horse battery"

export interface ConsoleUser {
  readonly id: number
  readonly tenant: number
  readonly email: string
}

export interface ConsoleOptions {
  /** Default: all daemons with a part in the console. */
  readonly daemons?: ReadonlyArray<Daemon>
  readonly env?: Readonly<Record<string, string>>
  /** Added to the default arguments. */
  readonly browserArgs?: ReadonlyArray<string>
}

export interface OpenOptions {
  readonly language?: "en" | "de"
  readonly theme?: "light" | "dark"
  /** Browser permissions of the page. */
  readonly permissions?: ReadonlyArray<string>
  /** Whether the page stays open for later tests of the file, which reach other pages by `follow` (CheckPage.ts). */
  readonly kept?: boolean
  /** Runs before the page loads, for example to install a fake clock or a script. */
  readonly before?: (page: Page) => Promise<unknown>
}

export interface Console {
  readonly suite: TestSuite
  /** Address of the gateway. */
  readonly base: string
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** Creates a tenant. Default name: generated. */
  readonly tenant: (name?: string) => Promise<number>
  /** Creates a user with `password` that all daemons know. Default tenant: the provider's (1). */
  readonly user: (options?: {
    readonly role?: string
    readonly tenant?: number
    readonly name?: string
    readonly locale?: string
  }) => Promise<ConsoleUser>
  /**
   * Opens a path below `/console` in a browser context of its own (PagePool.ts). `user` undefined: not signed in.
   * Closes after the test, or with `kept` after the file.
   */
  readonly open: (user: ConsoleUser | undefined, path?: string, options?: OpenOptions) => Promise<Page>
  /** Emits an event like a daemon. */
  readonly emit: (type: string, data: object, audience?: Audience) => Promise<void>
  /** Sends a notification to a user. Returns the notification's uuid. */
  readonly notify: (user: ConsoleUser, content?: Readonly<Record<string, unknown>>) => Promise<string>
  /** Allows problems that match, in this test. */
  readonly expecting: (problem: RegExp) => void
}

/** Longest wait for a page. Unit: milliseconds. Reason: two loaded cores. */
const patience = 20_000

/** Errors that browsers log during normal sign-in: no cookie yet, a wrong password, a required second factor. */
const signingIn = /status of 401 .*\/api\/v1\/auth\/(refresh|login)$/

/** Error that browsers log where the daemon localization is not part of the test: the shipped texts stay. */
const withoutTexts = /status of 404 .*\/api\/v1\/i18n\/[\w/-]+$/

export const everyDaemon: ReadonlyArray<Daemon> = [
  identity,
  mailAdmin,
  mailWatcher,
  alarmBridge,
  commDispatcher,
  sipConfig,
  dnsVerifier,
  bankFetcher,
  provisioning
]

/**
 * Starts the suite before the tests of a file; usable inside tests only. Without Chromium the tests are
 * skipped; with `CI` set they fail.
 */
export const consoleTests = (options: ConsoleOptions = {}): Console => {
  const scope = Scope.makeUnsafe()
  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
  let suite: TestSuite
  let browser: Browser | undefined
  let expected: Array<RegExp> = []
  let problems: Array<string> = []
  const pages: Array<PooledPage> = []
  const keptPages: Array<PooledPage> = []
  let people = 0

  beforeAll(async () => {
    await ensurePeers(["browser"])
    browser = await sharedBrowser(options.browserArgs)
    if (browser === undefined) return
    ensureConsole()
    suite = await run(
      Scope.provide(
        startSuite({
          daemons: options.daemons ?? everyDaemon,
          gateway: true,
          env: {
            SIGNALBOX_MAIL_LOOKUP_PORT: "0",
            SIGNALBOX_ALARM_SMTP_PORT: "0",
            // All test users share one client address, so the default rate limits would apply to all of them together.
            SIGNALBOX_GATEWAY_RATE: "10000",
            SIGNALBOX_GATEWAY_BURST: "10000",
            AUTH_RATE_LIMIT_MAX: "1000",
            ...options.env
          }
        }),
        scope
      )
    )
  }, 120_000)
  afterAll(async () => {
    await giveBack(keptPages)
    await run(Scope.close(scope, Exit.void))
  }, 120_000)
  beforeEach((context) => {
    if (browser === undefined) context.skip("tests need Chromium: apt install chromium-headless-shell")
    expected = [signingIn, withoutTexts]
    problems = []
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await printPages()
    await giveBack(pages, task.result?.state === "fail")
    expect(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([])
  })

  const giveBack = async (used: Array<PooledPage>, failed = false) => {
    for (const one of used.splice(0)) {
      if (failed) one.isSpoilt = true
      await returnPage(browser!, one, `${suite.base()}/console/icon.svg`)
    }
  }

  /** Prints the text of the open pages of a failed test. */
  const printPages = async () => {
    for (const page of [...keptPages, ...pages].flatMap(({ context }) => context.pages())) {
      const text = await page.locator("body").innerText({ timeout: 1_000 }).catch(String)
      process.stderr.write(`${page.url()}\n${text}\n`)
    }
  }

  const watch = (page: Page) => {
    const base = suite.base()
    const foreign = (url: string) => {
      if (!/^(data|blob|about):/.test(url) && new URL(url).host !== new URL(base).host) problems.push(`asked ${url}`)
    }
    page.on(
      "console",
      (message) => message.type() === "error" && problems.push(`${message.text()} ${message.location().url}`)
    )
    page.on("pageerror", (error) => problems.push(`thrown: ${error.stack ?? error.message}`))
    page.on("request", (request) => foreign(request.url()))
    page.on("websocket", (socket) => foreign(socket.url()))
  }

  const asService = async (path: string, body: unknown) => {
    const answer = await run(Effect.flatMap(suite.token, (token) => suite.call("POST", path, { token, body })))
    expect(answer.status, answer.text).toBe(201)
    return answer.json
  }

  return {
    get suite() {
      return suite
    },
    get base() {
      return suite.base()
    },
    run,
    tenant: async (name = `Tenant ${++people}`) => (await asService("/api/v1/tenants", { name })).id,
    user: async ({ locale = "en", name = "Anna Operator", role = "user", tenant = 1 } = {}) => {
      const email = `person${++people}@example.org`
      const { id } = await asService("/api/v1/users", { email, name, role, locale, tenant_id: tenant })
      await run(suite.sql`update identity.account
        set password_hash = ${cheapHash(password)}, password_changed_at = now() where id = ${id}`)
      await run(
        until(
          "comm-dispatcher knows them",
          Effect.map(suite.sql`select 1 from comm_dispatcher.member where user_id = ${id}`, (rows) => rows.length > 0)
        )
      )
      return { id, tenant, email }
    },
    open: async (
      user,
      path = "/",
      { before, kept = false, language = "en", permissions = [], theme = "light" } = {}
    ) => {
      const pooled = await takePage(browser!)
      const { context, page } = pooled
      ;(kept ? keptPages : pages).push(pooled)
      await context.grantPermissions([...permissions])
      context.setDefaultTimeout(patience)
      await context.addInitScript(
        ([language, theme]) => {
          // Frames and empty pages may have no storage. Values that the page stored itself stay.
          if (window.top !== window || location.protocol !== "http:") return
          if (localStorage.getItem("signalbox.language") === null) localStorage.setItem("signalbox.language", language)
          if (localStorage.getItem("signalbox.theme") === null) localStorage.setItem("signalbox.theme", theme)
        },
        [language, theme] as const
      )
      if (user !== undefined) {
        const answer = await context.request.post(`${suite.base()}/api/v1/auth/login`, {
          data: { email: user.email, password, cookie: true }
        })
        expect(answer.status(), await answer.text()).toBe(200)
      }
      context.on("page", watch)
      watch(page)
      await before?.(page)
      await page.goto(`${suite.base()}/console${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      return page
    },
    emit: async (
      type,
      data,
      { tenantId = null, userId = null }: { readonly tenantId?: number | null; readonly userId?: number | null } = {}
    ) => {
      const { sql } = suite
      await run(sql`with e as (insert into core.event (type, source, tenant_id, user_id, data)
          values (${type}, 'test', ${tenantId}, ${userId}, ${sql.json(data)}) returning 1)
        select pg_notify('signalbox', 'event') from e`)
    },
    notify: async (user, content = {}) => {
      const { items } = await asService("/api/v1/notifications", {
        user_id: user.id,
        type: "system.update",
        category: "system",
        severity: "info",
        title: "A title",
        body: "What happened.",
        ...content
      })
      return items[0].uuid
    },
    expecting: (problem) => void expected.push(problem)
  }
}
