import type { Readable, Writable } from 'node:stream'
// Without @types/express, requests are `any`.
// @ts-ignore
import type { Request, RequestHandler } from 'express'
import type { Budget } from '..'

declare global {
  namespace Express {
    namespace Multer {
      interface File {
        /** Name of the form field. */
        fieldname: string
        /** What the client calls the file. */
        originalname: string
        /** Its Content-Transfer-Encoding, in lower case; `7bit` without one. */
        encoding: string
        /** The media type that the client declares. */
        mimetype: string
        /** Bytes. */
        size: number
        /** Its content, for the `_handleFile` of an engine alone. */
        stream: Readable
        /** Of `diskStorage`: the directory. */
        destination: string
        /** Of `diskStorage`: the name in that directory. */
        filename: string
        /** Of `diskStorage`: the directory and the name. */
        path: string
        /** Of `memoryStorage`: the content. */
        buffer: Buffer
      }
    }

    interface Request {
      /** The file of `single()`. */
      file?: Multer.File | undefined
      /** The files of `array()` and `any()`, or those of `fields()` by name. */
      files?: { [fieldname: string]: Multer.File[] } | Multer.File[] | undefined
    }
  }
}

declare function multer (options?: multer.Options): multer.Multer

declare namespace multer {
  interface Multer {
    /** At most one file, of this field: `req.file`. */
    single (fieldName: string): RequestHandler
    /** Files of this field: `req.files`, an array. */
    array (fieldName: string, maxCount?: number): RequestHandler
    /** Files of these fields: `req.files`, an object of arrays. */
    fields (fields: readonly Field[]): RequestHandler
    /** Files of any field: `req.files`, an array. */
    any (): RequestHandler
    /** No files. */
    none (): RequestHandler
  }

  function diskStorage (options: DiskStorageOptions): StorageEngine
  function memoryStorage (): StorageEngine

  type ErrorCode =
    | 'LIMIT_PART_COUNT'
    | 'LIMIT_FILE_SIZE'
    | 'LIMIT_FILE_COUNT'
    | 'LIMIT_FIELD_KEY'
    | 'LIMIT_FIELD_VALUE'
    | 'LIMIT_FIELD_COUNT'
    | 'LIMIT_FIELD_NESTING'
    | 'LIMIT_FIELD_ARRAY_INDEX'
    | 'LIMIT_TOTAL_SIZE'
    | 'LIMIT_UNEXPECTED_FILE'
    | 'MISSING_FIELD_NAME'
    | 'INVALID_FIELD_NAME'
    | 'STREAM_DESTROYED'

  class MulterError extends Error {
    constructor (code: ErrorCode, field?: string, filename?: string)
    name: string
    code: ErrorCode
    message: string
    /** Name of the form field. */
    field?: string | undefined
    /** What the client calls the file. */
    filename?: string | undefined
    /** Errors of removing the files that were stored before. */
    storageErrors?: Error[] | undefined
    /** 413 for a size or a number over its limit, else 400; none for `STREAM_DESTROYED`. */
    status?: number | undefined
    statusCode?: number | undefined
  }

  interface FileFilterCallback {
    (error: Error): void
    (error: null, acceptFile: boolean): void
  }

  interface Limits {
    /** Most characters of the name of a field. Default: Infinity. */
    fieldNameSize?: number | undefined
    /** Most bytes of the value of a field. Default: 1 MiB. */
    fieldSize?: number | undefined
    /** Most fields that are no files. Default: Infinity. */
    fields?: number | undefined
    /** Most brackets in the name of a field: `a[b][c]` has 2. Default: Infinity. */
    fieldNestingDepth?: number | undefined
    /** Highest index in the name of a field: `a[3]` has 3. Default: Infinity. */
    fieldArrayIndexLimit?: number | undefined
    /** Most bytes of a file. Default: Infinity. */
    fileSize?: number | undefined
    /** Most files. Default: Infinity. */
    files?: number | undefined
    /** Most parts, fields and files. Default: Infinity. */
    parts?: number | undefined
    /** Without effect, as in multer 2.5. */
    headerPairs?: number | undefined
    /** Most bytes of the whole form. multer does not have it; docs/multer.md says what its default follows from. */
    total?: number | undefined
  }

  interface Options {
    /** Where files go; `dest` is then ignored. */
    storage?: StorageEngine | undefined
    /** A directory, in which files get random names. */
    dest?: string | undefined
    limits?: Limits | ((req: Request) => Limits | undefined) | undefined
    /** Keep the path in `originalname`. */
    preservePath?: boolean | undefined
    /** Charset of names. Default: `latin1`; give `utf8`. */
    defParamCharset?: string | undefined
    /** Charset of values. Default: `utf8`. */
    defCharset?: string | undefined
    /** Accepted; each file has a bounded buffer of its own. */
    fileHwm?: number | undefined
    /** Of the stream that `streamHandler` gets. */
    highWaterMark?: number | undefined
    /** Says whether a file is stored or left out. */
    fileFilter? (req: Request, file: Express.Multer.File, callback: FileFilterCallback): void
    /** Writes the body to the stream, and ends it. Default: the request is read. */
    streamHandler? (req: Request, stream: Writable): void
    /** Of all options of `multipart`, multer does not have these. */
    budget?: Budget | undefined
    /** Parse `req.rawBody`, or else `req.body`, of requests that other code has read. Excludes `streamHandler`. */
    buffered?: boolean | undefined
    /** Tells the media type of a file by its first 4,100 bytes, before `fileFilter` and the engine. */
    detect? (head: Buffer, file: Express.Multer.File): string | undefined | null | Promise<string | undefined | null>
    drainLimit?: number | string | undefined
    minRate?: number | string | undefined
    timeout?: number | undefined
  }

  interface StorageEngine {
    _handleFile (
      req: Request,
      file: Express.Multer.File,
      callback: (error?: any, info?: Partial<Express.Multer.File>) => void
    ): void
    _removeFile (req: Request, file: Express.Multer.File, callback: (error: Error | null) => void): void
  }

  interface DiskStorageOptions {
    destination?:
      | string
      | ((
        req: Request,
        file: Express.Multer.File,
        callback: (error: Error | null, destination: string) => void
      ) => void)
      | undefined
    filename? (
      req: Request,
      file: Express.Multer.File,
      callback: (error: Error | null, filename: string) => void
    ): void
    /** Have the system write each file to the disk before `next` is called. */
    flush?: boolean | undefined
  }

  interface Field {
    name: string
    /** Default: Infinity. */
    maxCount?: number | undefined
  }
}

export = multer
