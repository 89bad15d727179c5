import assert from 'node:assert/strict';
import { newId } from '../../../../protocol/rpc/ids.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { exactPattern, parseAllowRules, ruleCovers } from './allow-rule.ts';
import { ThreadGrants } from '../levels/thread-grants.ts';

function covers(rule: string, op: string, target: OpTarget): boolean {
	return parseAllowRules([rule]).some((each) => ruleCovers(each, op, target));
}
const host = (name: string): OpTarget => ({ kind: 'host', host: name });
const secret = (name: string, to?: string): OpTarget => ({
	kind: 'secret',
	name,
	...(to === undefined ? {} : { host: to }),
});
const database: OpTarget = {
	kind: 'database',
	access: 'write',
	path: 'data/a.db',
	absolutePath: '/w/data/a.db',
	isSecret: false,
	isProtected: false,
};

describe('a rule for a command', () => {
	const command = (line: string, more: Partial<Extract<OpTarget, { kind: 'command' }>> = {}): OpTarget => ({
		kind: 'command',
		argv: line.split(' '),
		cwd: '.',
		...more,
	});
	const sandboxed = { isSandboxed: true } as const;
	const stray = (isByLink: boolean) => ({ strays: [{ argument: 'notes.txt', isByLink }] });

	it('covers further operands in the sandbox only', () => {
		assert.equal(covers('shell.run cat *', 'shell.run', command('cat notes.txt')), false);
		assert.equal(covers('shell.run cat *', 'shell.run', command('cat notes.txt', sandboxed)), true);
		const inPart = { ...sandboxed, isGuardedInPart: true } as const;
		assert.equal(covers('shell.run cat *', 'shell.run', command('cat notes.txt', inPart)), false);
		assert.equal(covers('shell.run cat notes.txt', 'shell.run', command('cat notes.txt')), true);
	});

	it('does not cover an operand that leads out, holds secrets or steers what runs, unless its words name it', () => {
		const asked = (rule: string, isByLink: boolean) =>
			covers(rule, 'shell.run', command('cat notes.txt', { ...sandboxed, ...stray(isByLink) }));
		assert.deepEqual([asked('shell.run cat *', true), asked('shell.run cat *', false)], [false, false]);
		assert.deepEqual([asked('shell.run cat notes.txt', true), asked('shell.run cat notes.txt', false)], [false, true]);
	});
});

describe('a rule for a host', () => {
	for (const [pattern, name] of [
		['example.org', 'evil-example.org'],
		['example.org', 'example.org.evil.org'],
		['example.org', 'www.example.org'],
		['example.org', 'example.org:8443'],
		['example.org:8443', 'example.org'],
		['*.example.org', 'example.org'],
		['*.example.org', 'evilexample.org'],
		['*.example.org', '.example.org'],
		['*example.org', 'evilexample.org'],
		['*.org/x', 'a.org'],
		['exam*.org', 'example.org'],
		['**', 'example.org'],
		['.example.org', 'www.example.org'],
		['*.', 'example.'],
	] as const) {
		it(`"${pattern}" does not cover ${name}`, () => {
			assert.equal(covers(`http.get ${pattern}`, 'http.get', host(name)), false);
		});
	}

	for (const [pattern, name] of [
		['example.org', 'example.org'],
		['EXAMPLE.org', 'example.org'],
		['example.org:8443', 'example.org:8443'],
		['*.example.org', 'a.b.example.org'],
		['*.example.org:81', 'a.example.org:81'],
		['*', 'example.org'],
		['[2606:4700::1111]', '[2606:4700::1111]'],
	] as const) {
		it(`"${pattern}" covers ${name}`, () => {
			assert.equal(covers(`http.get ${pattern}`, 'http.get', host(name)), true);
		});
	}

	it('of reading says nothing of other requests', () => {
		assert.equal(covers('http.get *', 'http.request', host('example.org')), false);
	});
});

describe('a rule for a secret', () => {
	it('holds for one secret at one host, and for no pattern', () => {
		const target = secret('github', 'api.github.com');
		assert.equal(covers('http.request github@api.github.com', 'http.request', target), true);
		for (const pattern of ['github', '*', 'github@*', '*@api.github.com', 'github@github.com', 'api.github.com']) {
			assert.equal(covers(`http.request ${pattern}`, 'http.request', target), false, pattern);
		}
	});

	it('is no rule for a host, nor the other way round', () => {
		assert.equal(covers('http.request github@api.github.com', 'http.request', host('api.github.com')), false);
	});
});

describe('the narrowest pattern', () => {
	for (const target of [host('example.org:81'), secret('github', 'api.github.com'), database]) {
		it(`of a ${target.kind} covers it`, () => {
			assert.equal(covers(`x.y ${exactPattern(target)}`, 'x.y', target), true);
		});
	}
});

const request = { risk: 'RESTRICTED', effect: 'execute' } as const;

describe('what was allowed for a thread', () => {
	it('is bound to the very target', () => {
		const [grants, thread] = [new ThreadGrants(), newId('thr')];
		grants.add(thread, 'http.request', request, [host('a.org'), secret('github', 'a.org'), database]);
		assert.equal(grants.has(thread, 'http.request', request, host('a.org')), true);
		assert.equal(grants.has(thread, 'http.request', request, secret('github', 'a.org')), true);
		assert.equal(grants.has(thread, 'http.request', request, database), true);
		assert.equal(grants.has(thread, 'http.request', request, host('b.org')), false);
		assert.equal(grants.has(thread, 'http.request', request, secret('github', 'b.org')), false);
		assert.equal(grants.has(thread, 'http.request', request, { ...database, access: 'read' }), false);
		assert.equal(grants.has(newId('thr'), 'http.request', request, host('a.org')), false);
	});
});
