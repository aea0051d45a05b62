import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Reads one request. Every middleware calls it through the export of this file,
 * which tools that instrument body-parser replace.
 *
 * @param parser what a factory made of its options; its fields may change
 */
declare function read (req: IncomingMessage, res: ServerResponse, next: (err?: any) => void, parser: object): void

export = read
