/// <reference types="node" />

import type { IncomingMessage, ServerResponse } from 'node:http'

declare namespace bodyParser {
  /**
   * Reads the body of a request into `req.body`. Fits Express, connect and
   * plain `node:http`.
   *
   * `next` is called once: without an argument if the body was parsed, or if
   * this parser has nothing to do; else with an error that has a `status`.
   */
  type Middleware = (req: IncomingMessage, res: ServerResponse, next: (err?: any) => void) => void

  /** What every parser takes. The factory reads its options once. */
  interface Options {
    /**
     * Parse a body that somebody else has read: where nothing is left to read
     * of the request, take the bytes or the text of `req.rawBody`, or else of
     * `req.body`. Their content coding is taken to be undone.
     *
     * @default false
     */
    buffered?: boolean | undefined
    /**
     * Accept up to four content codings one over the other (`gzip, br`), and
     * `x-gzip`, which else are a 415; `limit` is for what each decodes to. Not
     * with `inflate: false`.
     *
     * @default false
     */
    codingLists?: boolean | undefined
    /**
     * Most bytes that are read off and thrown away after an error in reading,
     * so that the connection can be used again. If there are more, the error
     * goes to `next` at once, and the connection is closed after the response
     * (over HTTP/2, the stream).
     *
     * @default '64mb'
     */
    drainLimit?: number | string | undefined
    /**
     * Accept coded bodies: gzip, deflate, br, and zstd where Node has it. With
     * `false`, such a body is a 415 (`encoding.unsupported`).
     *
     * @default true
     */
    inflate?: boolean | undefined
    /**
     * Most bytes of a body, counted after its content coding is undone. A
     * number is bytes; a string may have a unit, a power of 1024: `'1.5mb'`.
     * A larger body is a 413 (`entity.too.large`).
     *
     * @default '100kb' (102,400 bytes)
     */
    limit?: number | string | undefined
    /**
     * Put the bytes of the body, its content coding undone, on `req.rawBody`:
     * before `verify` is called.
     *
     * @default false
     */
    rawBody?: boolean | undefined
    /**
     * Which bodies to parse: a media type (`application/json`), an extension
     * name (`json`), a pattern (`text/*`, `+json`), a list of these, or a
     * function that returns something truthy for each request to parse.
     *
     * @default `application/json` (json), `application/octet-stream` (raw),
     *   `text/plain` (text), `application/x-www-form-urlencoded` (urlencoded)
     */
    type?: string | string[] | ((req: IncomingMessage) => any) | undefined
    /**
     * Looks at the bytes before they are parsed. To refuse them, throw or
     * return a promise that is rejected: this is a 403 (`entity.verify.failed`)
     * unless the error has its own `status` or `type`. Every promise is
     * awaited; what else is returned is ignored.
     *
     * @default none
     * @param buf the whole body, its content coding undone
     * @param encoding the body's charset in lower case, or `defaultCharset`
     */
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string): unknown
  }

  type PoisoningAction = 'error' | 'remove' | 'ignore'

  interface OptionsCooperative {
    /**
     * About how long to work in one turn of the event loop, in milliseconds.
     *
     * @default 0.25
     */
    slice?: number | undefined
    /**
     * Bytes, as `limit` takes them. What is larger is parsed in slices.
     *
     * @default '256kb'
     */
    threshold?: number | string | undefined
  }

  interface OptionsJson extends Options {
    /**
     * Parse large bodies in slices, one in each turn of the event loop, so that
     * other requests have their turn in between. The result is the same. Not
     * beside `parse` or `reviver`.
     *
     * @default false
     */
    cooperative?: boolean | OptionsCooperative | undefined
    /**
     * The charset of a body that names none: a UTF, in lower case.
     *
     * @default 'utf-8'
     */
    defaultCharset?: string | undefined
    /**
     * Deepest nesting: `[]` is 1 deep. A deeper body is a 400
     * (`entity.too.deep`), and is not parsed. Not beside `parse`.
     *
     * @default Infinity
     */
    depth?: number | undefined
    /**
     * What to do about a key `constructor` that holds a key `prototype`: a 400
     * (`entity.parse.failed`), leave it out, or nothing. Not beside `parse`.
     *
     * @default 'ignore'
     */
    onConstructorPoisoning?: PoisoningAction | undefined
    /**
     * What to do about a key `__proto__`: a 400 (`entity.parse.failed`), leave
     * it out, or nothing. Not beside `parse`.
     *
     * @default 'ignore'
     */
    onProtoPoisoning?: PoisoningAction | undefined
    /**
     * In place of `JSON.parse`; may return a promise. What it throws is a 400
     * (`entity.parse.failed`), unless the error has its own `status` or `type`.
     * Not called for an empty body, nor for one that `strict` refuses.
     *
     * @default none
     */
    parse?(text: string, context: { charset: string, reviver: OptionsJson['reviver'], req: IncomingMessage }): unknown
    /**
     * The second argument of `JSON.parse`.
     *
     * @default none
     */
    reviver?(this: any, key: string, value: any): any
    /**
     * Accept objects and arrays only; anything else is a 400
     * (`entity.parse.failed`). With `false`, all that `JSON.parse` takes.
     *
     * @default true
     */
    strict?: boolean | undefined
  }

  interface OptionsRaw extends Options {
    /**
     * Like that of the other parsers, but for the charset, which is null.
     *
     * @default none
     */
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string | null): unknown
  }

  interface OptionsText extends Options {
    /**
     * The charset of a body that names none: any that iconv-lite knows.
     *
     * @default 'utf-8'
     */
    defaultCharset?: string | undefined
  }

  interface OptionsUrlencoded extends Options {
    /**
     * Let fields have the names of what every object inherits, such as
     * `toString`. With `false`, they are left out. Not beside `parse`.
     *
     * @default true
     */
    allowPrototypes?: boolean | undefined
    /**
     * Let a parameter `utf8`, a check mark, tell the charset of the form.
     *
     * @default false
     */
    charsetSentinel?: boolean | undefined
    /**
     * The charset of a form that names none.
     *
     * @default 'utf-8'
     */
    defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined
    /**
     * Most levels of an extended form; 0 leaves brackets as they are. A deeper
     * form is a 400 (`querystring.parse.rangeError`).
     *
     * @default 32
     */
    depth?: number | undefined
    /**
     * Let brackets in names nest: `a[b]=1` is `{ a: { b: '1' } }`.
     *
     * @default false
     */
    extended?: boolean | undefined
    /**
     * Undo entities such as `&#9786;` in the values of an ISO-8859-1 form.
     *
     * @default false
     */
    interpretNumericEntities?: boolean | undefined
    /**
     * Most parameters of a form, 1 or more. A form with more is a 413
     * (`parameters.too.many`).
     *
     * @default 1000
     */
    parameterLimit?: number | undefined
    /**
     * In place of qs; may return a promise. What it throws is a 400
     * (`entity.parse.failed`), unless the error has its own `status` or `type`.
     * Not called for an empty body, nor for one over `parameterLimit`.
     *
     * @default none
     */
    parse?(text: string, context: { charset: string, req: IncomingMessage }): unknown
  }

  interface OptionsCustomCommon extends Options {
    /** Which bodies to parse. */
    type: NonNullable<Options['type']>
  }

  /** For a parser of text. */
  interface OptionsCustom extends OptionsCustomCommon {
    /**
     * The charset of a body that names none: any that iconv-lite knows.
     *
     * @default 'utf-8'
     */
    charset?: string | undefined
    /**
     * Makes the value of `req.body`; may return a promise. What it throws is a
     * 400 (`entity.parse.failed`), unless the error has its own `status` or
     * `type`.
     */
    parse(text: string, context: { charset: string, req: IncomingMessage }): unknown
  }

  /** For a parser of bytes. */
  interface OptionsCustomBytes extends OptionsCustomCommon {
    charset: false
    /** Like that of text, but for the bytes as they are. */
    parse(bytes: Buffer, context: { charset: null, req: IncomingMessage }): unknown
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string | null): unknown
  }

  /** What subscribers to the tracing channel `fast-body-parser` get. */
  interface TraceMessage {
    parser: 'json' | 'raw' | 'text' | 'urlencoded' | 'custom'
    req: IncomingMessage
    res: ServerResponse
    /** How the body was read; `none` if no byte of it was. Known from `asyncStart` and `error` on. */
    lane: 'identity' | 'one-shot' | 'stream' | 'buffered' | 'none'
    /** Bytes that were read, coded as they came. */
    bytesIn: number
    /** Bytes of the body, its content coding undone; 0 if it did not get so far. */
    bytesDecoded: number
    /** From the parser's call to that of `next`, in milliseconds. */
    ms: number
    /** What `next` gets, if anything. */
    error?: unknown
  }

  interface BodyParser {
    /** @deprecated Always throws. Use `json`, `raw`, `text` or `urlencoded`. */
    (options?: unknown): never
    /**
     * Makes a middleware that parses bodies of any media type into `req.body`.
     *
     * @throws {TypeError} if an option is wrong, or `type` or `parse` is missing
     */
    createParser: (options: OptionsCustom | OptionsCustomBytes) => Middleware
    /**
     * Makes a middleware that parses JSON (RFC 8259) into `req.body`.
     *
     * @throws {TypeError} if an option is wrong
     */
    json: (options?: OptionsJson) => Middleware
    /**
     * Makes a middleware that puts the body into `req.body` as a Buffer.
     *
     * @throws {TypeError} if an option is wrong
     */
    raw: (options?: OptionsRaw) => Middleware
    /**
     * Makes a middleware that puts the body into `req.body` as a string.
     *
     * @throws {TypeError} if an option is wrong
     */
    text: (options?: OptionsText) => Middleware
    /**
     * Makes a middleware that parses HTML forms
     * (`application/x-www-form-urlencoded`) into `req.body`.
     *
     * @throws {TypeError} if an option is wrong
     */
    urlencoded: (options?: OptionsUrlencoded) => Middleware
  }
}

// eslint-disable-next-line @typescript-eslint/no-redeclare -- a value and the namespace of its types
declare const bodyParser: bodyParser.BodyParser

export = bodyParser
