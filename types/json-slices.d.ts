import type { PoisoningAction } from '../index.js'

declare namespace parseInSlices {
  interface Options {
    /**
     * Cancels the work: the promise is rejected with the signal's reason.
     *
     * @default none
     */
    signal?: AbortSignal | undefined
    /**
     * Milliseconds to work in one turn of the event loop.
     *
     * @default 0.25
     */
    slice?: number | undefined
    /**
     * Deepest nesting: `[]` is 1 deep. A deeper text is a RangeError.
     *
     * @default Infinity
     */
    depth?: number | undefined
    /**
     * What to do about a key `constructor` that holds an object with a key
     * `prototype`: throw a SyntaxError, remove the key, or ignore it.
     *
     * @default 'ignore'
     */
    onConstructorPoisoning?: PoisoningAction | undefined
    /**
     * What to do about a key `__proto__`: throw a SyntaxError, remove the key,
     * or ignore it.
     *
     * @default 'ignore'
     */
    onProtoPoisoning?: PoisoningAction | undefined
  }
}

/**
 * Parses JSON in slices, between which the event loop serves other requests.
 * The value, or the SyntaxError, is that of `JSON.parse`.
 *
 * @param source text, or its UTF-8, whole or in chunks that may be cut anywhere
 * @throws {TypeError} if the source or an option is wrong
 */
declare function parseInSlices (source: string | Uint8Array | Iterable<Uint8Array>, options?: parseInSlices.Options): Promise<any>

export = parseInSlices
