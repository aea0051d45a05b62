/// <reference types="node" />

// For those who set `rawBody: true`, and only if they ask for it: an app may
// have such a declaration of its own, of another type, and there may be only one.

import 'http'

declare module 'http' {
  interface IncomingMessage {
    /** The bytes of the body, its content coding undone: see the option `rawBody`. */
    rawBody?: Buffer | undefined
  }
}
