/** `signalbox bank account …` and `signalbox bank keys …`. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json, lang } from "#core/cli/Output.ts"

const operator = () => import("./Operator.ts")
const keyOperator = () => import("./KeyOperator.ts")

const which = Argument.String("account").pipe(Argument.withDescription("Id or IBAN"))

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const passphraseFile = (description: string) =>
  Flag.String("passphrase-file").pipe(Flag.withDescription(description), Flag.optional)

/** Fields of an account; an empty value removes the field. */
const fields = {
  bic: text("bic", "BIC of the bank"),
  holder: text("holder", "Holder, who signs the letters"),
  host: text("host", "EBICS host id"),
  partner: text("partner", "EBICS partner id (customer id)"),
  user: text("user", "EBICS user id"),
  url: text("url", "Address of the bank's EBICS server, https"),
  version: text("version", "H004 or H005; without it the bank is asked"),
  signature: text("signature", "A005 or A006"),
  bits: text("bits", "Bits of new keys: 2048, 3072 or 4096"),
  daily: text("daily", "Cron expression of the daily fetch, in UTC"),
  intraday: text("intraday", "Cron expression of the intraday fetch, in UTC"),
  orders: text("orders", "Order types, such as daily:C53,intraday:C52; or the JSON of order_types in the API"),
  fetch: text("fetch", "true or false: whether statements are fetched by schedule")
}

const list = Command.make(
  "list",
  {
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only accounts of this tenant"), Flag.optional),
    all: Flag.Boolean("all").pipe(Flag.withDescription("Also deactivated accounts"), Flag.withDefault(false)),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists bank accounts, newest first."))

const show = Command.make("show", { which, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows an account and what is missing until statements are fetched.")
)

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the account")),
    iban: Flag.String("iban").pipe(Flag.withDescription("IBAN")),
    currency: text("currency", "Currency, such as EUR"),
    tenant: Flag.Int("tenant").pipe(
      Flag.withDescription("Tenant of the account; default: the provider"),
      Flag.optional
    ),
    ...fields,
    json
  },
  (flags) => lazily(operator, (module) => module.create(flags))
).pipe(
  Command.withDescription("Adds a bank account."),
  Command.withExamples([
    {
      command:
        "signalbox bank account create --name Main --iban 'DE89 3704 0044 0532 0130 00' --host EBIXHOST " +
        "--partner PARTNER1 --user USER1 --url https://ebics.example.org/ebics",
      description: "An account that fetches its statements by EBICS"
    }
  ])
)

const update = Command.make("update", { which, name: text("name", "Name of the account"), ...fields, json }, (flags) =>
  lazily(operator, (module) => module.update(flags))
).pipe(Command.withDescription("Changes an account. An empty value, such as --bic '', removes a field."))

const deactivate = Command.make("deactivate", { which, json }, (flags) =>
  lazily(operator, (module) => module.deactivate(flags))
).pipe(Command.withDescription("Deactivates an account. Statements and keys stay."))

const reactivate = Command.make("reactivate", { which, json }, (flags) =>
  lazily(operator, (module) => module.reactivate(flags))
).pipe(Command.withDescription("Reactivates an account."))

const permissions = Command.make(
  "permissions",
  { which, passphraseFile: passphraseFile("File with the passphrase of the keys; - is standard input"), json },
  (flags) => lazily(keyOperator, (module) => module.permissions(flags))
).pipe(Command.withDescription("Asks the bank what the account may fetch (HTD, HAA)."))

export const account = Command.make("account").pipe(
  Command.withDescription("Bank accounts."),
  Command.withSubcommands([list, show, create, update, deactivate, reactivate, permissions])
)

/** A step without further arguments. */
const step = (name: "ini" | "hia" | "suspend" | "resume" | "status", description: string) =>
  Command.make(name, { which, json }, (flags) => lazily(keyOperator, (module) => module.step(name, flags))).pipe(
    Command.withDescription(description)
  )

/** A step that needs the private keys. */
const bankStep = (name: "activate" | "refresh", description: string) =>
  Command.make(
    name,
    { which, passphraseFile: passphraseFile("File with the passphrase of the keys; - is standard input"), json },
    (flags) => lazily(keyOperator, (module) => module.bankStep(name, flags))
  ).pipe(Command.withDescription(description))

const init = Command.make(
  "init",
  { which, passphraseFile: passphraseFile("File with the passphrase of the new keys; - is standard input"), json },
  (flags) => lazily(keyOperator, (module) => module.init(flags))
).pipe(Command.withDescription("Generates the keys of an account."))

const letter = Command.make(
  "letter",
  {
    which,
    output: Flag.String("output").pipe(
      Flag.withDescription("File to write; default: ebics-letter.pdf"),
      Flag.withDefault("ebics-letter.pdf")
    ),
    lang: lang("Language of the letter"),
    json
  },
  (flags) => lazily(keyOperator, (module) => module.letter(flags))
).pipe(Command.withDescription("Writes the INI and HIA letters as a PDF, to sign and mail to the bank."))

const accept = Command.make(
  "accept",
  {
    which,
    authentication: Flag.String("authentication").pipe(
      Flag.withDescription("Hash of the bank's key X002, from the bank's letter")
    ),
    encryption: Flag.String("encryption").pipe(
      Flag.withDescription("Hash of the bank's key E002, from the bank's letter")
    ),
    json
  },
  (flags) => lazily(keyOperator, (module) => module.accept(flags))
).pipe(Command.withDescription("Accepts the bank's keys after the comparison with the bank's letter."))

const reset = Command.make(
  "reset",
  { which, confirm: Flag.String("confirm").pipe(Flag.withDescription("IBAN of the account, as confirmation")), json },
  (flags) => lazily(keyOperator, (module) => module.reset(flags))
).pipe(Command.withDescription("Destroys the keys and begins again. The bank must reset the user too."))

const unlock = Command.make(
  "unlock",
  {
    which,
    passphraseFile: passphraseFile("File with the passphrase; default: standard input"),
    url: text("url", "Address of the daemon or the gateway; default: as configured"),
    json
  },
  (flags) => lazily(keyOperator, (module) => module.unlock(flags))
).pipe(
  Command.withDescription("Gives the running daemon the passphrase of an account's keys, which it keeps in memory.")
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("EBICS keys of bank accounts, in the order init, ini, hia, letter, activate, accept."),
  Command.withSubcommands([
    step("status", "Shows the key status, all hashes, and the next step."),
    init,
    step("ini", "Sends the signature key to the bank."),
    step("hia", "Sends the authentication and encryption keys to the bank."),
    letter,
    bankStep("activate", "Checks whether the bank has released the keys, and fetches the bank's keys."),
    accept,
    bankStep("refresh", "Fetches the bank's keys again."),
    step("suspend", "Suspends fetching."),
    step("resume", "Resumes fetching."),
    reset,
    unlock
  ])
)
