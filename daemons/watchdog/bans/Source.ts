/** Source of events that this feature emits. */
export const source = "watchdog"
