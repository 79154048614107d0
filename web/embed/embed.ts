// To be built: `<daybook-upcoming>` and `<daybook-calendar>` for other sites.
export {}
