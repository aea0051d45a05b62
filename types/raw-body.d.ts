/// <reference types="node" />

// Only for apps that import it: an app may declare `rawBody` itself, with
// another type, and there may be only one declaration.

import 'http'

declare module 'http' {
  interface IncomingMessage {
    /** The bytes of the body, decompressed: see the option `rawBody`. */
    rawBody?: Buffer | undefined
  }
}
