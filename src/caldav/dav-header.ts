// The DAV header: compliance classes of the server. RFC 4918 §10.1, RFC 4791 §5.1.

/** No locks, hence no class 2. Access control is read-only, and calendars cannot be created. */
export const DAV_CLASSES = '1, 3, access-control, calendar-access'
