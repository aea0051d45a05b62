import type { PoisoningAction } from '../index.js'

declare namespace parseInSlices {
  interface Options {
    /**
     * Stops the work: the promise is rejected with the signal's reason.
     *
     * @default none
     */
    signal?: AbortSignal | undefined
    /**
     * About how long to work in one turn of the event loop, in milliseconds.
     *
     * @default 0.25
     */
    slice?: number | undefined
    /**
     * Deepest nesting: `[]` is 1 deep. Deeper JSON is a RangeError.
     *
     * @default Infinity
     */
    depth?: number | undefined
    /**
     * What to do about a key `constructor` that holds a key `prototype`: throw
     * a SyntaxError, leave it out, or nothing.
     *
     * @default 'ignore'
     */
    onConstructorPoisoning?: PoisoningAction | undefined
    /**
     * What to do about a key `__proto__`: throw a SyntaxError, leave it out, or
     * nothing.
     *
     * @default 'ignore'
     */
    onProtoPoisoning?: PoisoningAction | undefined
  }
}

/**
 * `JSON.parse` in slices, between which the event loop goes on. The value, or
 * the SyntaxError, is that of `JSON.parse`.
 *
 * @param source text, or its UTF-8, whole or in chunks that may be cut anywhere
 * @throws {TypeError} for a source or an option that is wrong
 */
declare function parseInSlices (source: string | Uint8Array | Iterable<Uint8Array>, options?: parseInSlices.Options): Promise<any>

export = parseInSlices
