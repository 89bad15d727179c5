import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refusalWords } from './refusal-words.ts';

describe('the words of a refusal', () => {
	const bodies: readonly (readonly [string, string | undefined])[] = [
		['', undefined],
		['   ', undefined],
		['{}', '{}'],
		['{"error":{"message":"no luck","type":"x"}}', 'no luck'],
		['{"error":"no luck"}', 'no luck'],
		['{"message":"no luck"}', 'no luck'],
		['{"detail":"no luck"}', 'no luck'],
		['{"object":"error","message":"no luck","code":400}', 'no luck'],
		[
			'{"detail":[{"loc":["body","messages",0],"msg":"field required","type":"missing"}]}',
			'body.messages.0: field required',
		],
		['[{"error":{"code":400,"message":"no luck","status":"INVALID_ARGUMENT"}}]', 'no luck'],
		['{"errors":[{"message":"no luck"}]}', 'no luck'],
		[
			'{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"too hot\\"}}"}}}',
			'Provider returned error: too hot',
		],
		['no luck\n', 'no luck'],
		['{"error": broken', '{"error": broken'],
		['<html><head><title>502 Bad Gateway</title></head></html>', 'a web page ("502 Bad Gateway")'],
		['<!DOCTYPE html><p>hello', 'a web page'],
	];
	for (const [body, words] of bodies) {
		it(`are ${words === undefined ? 'none' : `"${words}"`} in ${JSON.stringify(body)}`, () => {
			assert.equal(refusalWords(body), words);
		});
	}
});
