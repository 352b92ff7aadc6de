import { words } from "../../lib/Language.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import type { DnsRecord, Domain, Plan, PlanStep } from "./Shapes.ts"

const t = words({
  en: {
    manual: "by hand",
    managed: "managed",
    credentials_missing: "credentials missing",
    pending_verification: "being checked",
    verified: "verified",
    error: "points elsewhere",
    pending: "pending",
    active: "active",
    ok: "ok",
    missing: "missing",
    wrong: "wrong",
    unknown: "unknown",
    planned: "planned",
    stopped: "stopped",
    applying: "being applied",
    applied: "applied",
    planFailed: "failed",
    stale: "out of date",
    discarded: "dropped",
    stepPending: "waiting",
    attempting: "under way",
    done: "done",
    failed: "failed",
    uncertain: "not known",
    skipped: "left out"
  },
  de: {
    manual: "von Hand",
    managed: "verwaltet",
    credentials_missing: "Zugangsdaten fehlen",
    pending_verification: "wird geprüft",
    verified: "bestätigt",
    error: "zeigt woandershin",
    pending: "wartet",
    active: "aktiv",
    ok: "richtig",
    missing: "fehlt",
    wrong: "falsch",
    unknown: "unbekannt",
    planned: "geplant",
    stopped: "angehalten",
    applying: "wird angewandt",
    applied: "angewandt",
    planFailed: "fehlgeschlagen",
    stale: "überholt",
    discarded: "verworfen",
    stepPending: "wartet",
    attempting: "läuft",
    done: "erledigt",
    failed: "fehlgeschlagen",
    uncertain: "ungewiss",
    skipped: "ausgelassen"
  }
})

const dnsTones: Readonly<Record<Domain["dns_status"], Tone>> = {
  manual: "info",
  managed: "info",
  credentials_missing: "warning",
  pending_verification: "warning",
  verified: "success",
  error: "error"
}
const recordTones: Readonly<Record<DnsRecord["status"], Tone>> = {
  ok: "success",
  missing: "error",
  wrong: "error",
  unknown: "quiet"
}
const planTones: Readonly<Record<Plan["state"], Tone>> = {
  planned: "info",
  stopped: "warning",
  applying: "info",
  applied: "success",
  failed: "error",
  stale: "quiet",
  discarded: "quiet"
}
const stepTones: Readonly<Record<PlanStep["state"], Tone>> = {
  pending: "quiet",
  attempting: "info",
  done: "success",
  failed: "error",
  uncertain: "warning",
  skipped: "quiet"
}

export const DnsStatusBadge = ({ of }: { readonly of: Domain["dns_status"] }) => (
  <Badge tone={dnsTones[of]}>{t()[of]}</Badge>
)
export const StatusBadge = ({ of }: { readonly of: Domain["status"] }) => (
  <Badge tone={of === "active" ? "success" : "quiet"}>{t()[of]}</Badge>
)
export const RecordBadge = ({ of }: { readonly of: DnsRecord["status"] }) => (
  <Badge tone={recordTones[of]}>{t()[of]}</Badge>
)
export const PlanBadge = ({ of }: { readonly of: Plan["state"] }) => (
  <Badge tone={planTones[of]}>{of === "failed" ? t().planFailed : t()[of]}</Badge>
)
export const StepBadge = ({ of }: { readonly of: PlanStep["state"] }) => (
  <Badge tone={stepTones[of]}>{of === "pending" ? t().stepPending : t()[of]}</Badge>
)
