/**
 * Decides which services a tenant has booked. Pure. Source: interface document 2 §4.4.
 *
 * Rules, in this order:
 * 1. A base service is always booked.
 * 2. A tenant without any booking (module, subscription or addon, ended ones included) has booked every service.
 * 3. A service is booked when one of its mappings matches a module or a subscribed package that is not ended.
 *
 * Ended bookings count for rule 2, because a tenant that cancels its last booking must not receive every service. The
 * document says nothing about the status of a booking.
 */

/** States of a module, subscription or addon. `cancelled` and `expired` are ended. */
export const bookingStates = ["active", "trial", "suspended", "cancelled", "expired"] as const
export type BookingState = (typeof bookingStates)[number]

/**
 * States in which a booking includes its services. `suspended` is missing because a booking is suspended while bills
 * are unpaid.
 */
const live: ReadonlySet<BookingState> = new Set<BookingState>(["active", "trial"])

export interface Mapping {
  readonly service: string
  readonly module_slug: string | null
  readonly package_type: string | null
  readonly package_id: number | null
}

export interface Bookings {
  readonly modules: ReadonlyArray<{ readonly slug: string; readonly status: BookingState }>
  readonly subscriptions: ReadonlyArray<{
    readonly status: BookingState
    readonly package: { readonly id: number; readonly type: string }
  }>
  readonly addons: ReadonlyArray<{ readonly slug: string }>
}

/** Why a service is booked or not. */
export type BookingReason = "base" | "no_bookings" | "module" | "package" | "not_booked"

/** The first rule that decides about the service. */
export const bookingReason = (
  service: { readonly slug: string; readonly is_base: boolean },
  mappings: ReadonlyArray<Mapping>,
  bookings: Bookings
): BookingReason => {
  if (service.is_base) return "base"
  if (bookings.modules.length + bookings.subscriptions.length + bookings.addons.length === 0) return "no_bookings"
  const own = mappings.filter((mapping) => mapping.service === service.slug)
  if (own.some((mapping) => matchesModule(mapping, bookings))) return "module"
  return own.some((mapping) => matchesPackage(mapping, bookings)) ? "package" : "not_booked"
}

export const isBooked = (reason: BookingReason): boolean => reason !== "not_booked"

const matchesModule = ({ module_slug }: Mapping, { modules }: Bookings): boolean =>
  module_slug !== null && modules.some(({ slug, status }) => live.has(status) && slug === module_slug)

/** Whether a subscribed package matches. A mapping with both type and id requires both to match. */
const matchesPackage = ({ package_id, package_type }: Mapping, { subscriptions }: Bookings): boolean =>
  (package_id !== null || package_type !== null) &&
  subscriptions.some(
    ({ package: { id, type }, status }) =>
      live.has(status) && (package_type === null || type === package_type) && (package_id === null || id === package_id)
  )
