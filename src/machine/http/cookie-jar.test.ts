import assert from 'node:assert/strict';
import { CookieJars, parseStoredCookies } from './cookie-jar.ts';
import { HTTP_SESSIONS } from './limits.ts';
import { parseTargetUrl } from './target-url.ts';

const safe = parseTargetUrl('https://site.example/a/b');
const open = parseTargetUrl('http://site.example/a/b');

describe('A cookie jar', () => {
	let jars: CookieJars;
	beforeEach(() => {
		jars = new CookieJars();
	});

	for (const [line, isSentSafely, isSentOpenly] of [
		['a=1', true, true],
		['a=1; Secure; HttpOnly', true, false],
		['a=1; Path=/a', true, true],
		['a=1; Path=/a/b/c', false, false],
		['a=1; Path=/A', false, false],
		['a=1; Domain=site.example', true, true],
		['a=1; Domain=.SITE.example', true, true],
		['a=1; Domain=example.org', false, false],
		['a=1; Domain=sub.site.example', false, false],
		['a=1; Max-Age=0', false, false],
		['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', false, false],
		['__Secure-a=1', false, false],
		['__Secure-a=1; Secure', true, false],
		['__Host-a=1; Secure', false, false],
		['__Host-a=1; Secure; Path=/', true, false],
		['__HOST-a=1; Secure; Path=/; Domain=site.example', false, false],
	] as const) {
		it(`takes "${line}" from a safe connection for what it says`, () => {
			const { jar } = jars.of('me');
			jar.store(safe, [line]);
			assert.deepEqual([jar.for(safe).length, jar.for(open).length], [Number(isSentSafely), Number(isSentOpenly)]);
		});
	}

	it('lets an open connection replace nothing that came over a safe one', () => {
		const { jar } = jars.of('me');
		jar.store(safe, ['sid=safe; Secure; Path=/']);
		jar.store(open, ['sid=planted; Path=/', 'sid=planted; Path=/a']);
		assert.deepEqual(
			jar.for(safe).map(({ value }) => value),
			['safe'],
		);
	});

	it('sends what is lent to its origin alone, and keeps what the site has set since', () => {
		const { jar } = jars.of('me');
		jar.store(safe, ['sid=newer; Path=/; Secure']);
		const lent = [
			{ name: 'sid', value: 'older' },
			{ name: 'user', value: 'me' },
		];
		assert.deepEqual(jar.lend(safe, lent).sort(), ['sid', 'user']);
		const sent = (url: string) => jar.for(parseTargetUrl(url)).map(({ name, value }) => `${name}=${value}`);
		assert.deepEqual(sent('https://site.example/x'), ['sid=newer', 'user=me']);
		for (const url of [
			'http://site.example/x',
			'https://site.example:8443/x',
			'https://sub.site.example/x',
			'https://example/x',
		]) {
			assert.equal(sent(url).includes('user=me'), false, url);
		}
		assert.equal(jar.clear('site.example'), 2);
		assert.deepEqual(sent('https://site.example/x'), []);
	});

	it('keeps what is lent to its origin when the site renews it, and takes the newest of what the user stored', () => {
		const { jar } = jars.of('me');
		const values = (url: string) => jar.for(parseTargetUrl(url)).map(({ value, isLent }) => [value, isLent]);
		jar.lend(safe, [{ name: 'sid', value: 'old' }]);
		jar.lend(safe, [{ name: 'sid', value: 'stored' }]);
		assert.deepEqual(values('https://site.example/x'), [['stored', true]]);
		assert.deepEqual(jar.store(safe, ['sid=renewed; Path=/; Secure; HttpOnly', 'other=1; Path=/']), ['renewed']);
		assert.deepEqual(values('https://site.example/x'), [
			['renewed', true],
			['1', false],
		]);
		assert.deepEqual(values('https://site.example:8443/x'), [['1', false]]);
		jar.store(safe, ['sid=; Path=/; Max-Age=0', 'sid=next; Path=/']);
		assert.deepEqual(
			values('https://site.example/x').find(([value]) => value === 'next'),
			['next', true],
		);
	});

	it('gives way, also renewed, to another value that the user stores, and not to the same one', () => {
		const { jar } = jars.of('me');
		const values = () => jar.for(safe).map(({ value }) => value);
		jar.lend(safe, [{ name: 'sid', value: 'first' }]);
		jar.store(safe, ['sid=renewed; Path=/']);
		jar.lend(safe, [{ name: 'sid', value: 'first' }]);
		assert.deepEqual(values(), ['renewed']);
		jar.lend(safe, [{ name: 'sid', value: 'second' }]);
		assert.deepEqual(values(), ['second']);
	});

	it('of a session is a separate one, of its caller alone, until that ends', () => {
		const first = jars.open('execution:a', { accept: 'text/html' });
		const second = jars.open('execution:a', {});
		jars.of('execution:a', first).jar.store(safe, ['sid=1']);
		assert.equal(jars.of('execution:a', first).headers['accept'], 'text/html');
		for (const other of [jars.of('execution:a', second), jars.of('execution:a')]) {
			assert.deepEqual(other.jar.for(safe), []);
		}
		assert.throws(() => jars.of('execution:b', first), {
			code: 'INVALID_PARAMS',
			message: /no session "s-1" of this run/,
		});
		assert.equal(jars.close('execution:a', first), 1);
		assert.throws(() => jars.of('execution:a', first), { code: 'INVALID_PARAMS' });
		jars.forget('a');
		assert.throws(() => jars.of('execution:a', second), { code: 'INVALID_PARAMS' });
	});

	it('is opened only so many times by one caller', () => {
		for (let n = 0; n < HTTP_SESSIONS; n++) jars.open('me', {});
		assert.throws(() => jars.open('me', {}), { code: 'INVALID_STATE', message: /Close one/ });
		jars.close('me', 's-1');
		assert.equal(jars.open('me', {}), `s-${HTTP_SESSIONS + 1}`);
	});

	for (const [stored, names] of [
		['a=1; b=2', ['a', 'b']],
		['Cookie: a=1;b=x=y;', ['a', 'b']],
		[' a= ', ['a']],
		['', undefined],
		['a', undefined],
		['a=1; b', undefined],
		['a=1\r\nHost: evil.example', undefined],
		['a=ü', undefined],
		['=1', undefined],
	] as const) {
		it(`reads ${JSON.stringify(stored)} as a browser sends cookies`, () => {
			assert.deepEqual(
				parseStoredCookies(stored)?.map(({ name }) => name),
				names,
			);
		});
	}
});
