// Orders of event lists: by start or by the last change, ascending or descending.

/** The public is not told when an event was changed. */
export const PUBLIC_ORDERS = ['start', '-start'] as const
export const LIST_ORDERS = [...PUBLIC_ORDERS, 'updated', '-updated'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

export const isByChange = (order: ListOrder): boolean => order.endsWith('updated')
export const isDescending = (order: ListOrder): boolean => order.startsWith('-')
