/** Commands that want to be run without a question, and those that people ask for every day. */
import assert from 'node:assert/strict';
import { parseAllowRules } from '../src/trust/gate/policy/rules/allow-rule.ts';
import { NO_STRICT_RULES, parseStrictRule } from '../src/trust/gate/policy/rules/strict-rule.ts';
import { type CommandChain, listChainCommands } from '../src/protocol/ops/commands/command-chain.ts';
import { listRedirectFiles, isTemporary } from '../src/protocol/ops/commands/redirect.ts';
import { readSettings } from '../src/protocol/settings/read-settings.ts';
import { inEnglish } from '../src/protocol/text/text.ts';
import { gateOf, mutate, readCommandCorpus, readEvasions, wideRules } from './support/command-corpus.ts';
import { askedKinds, hostileCommands, judged, offeredRules, ordinaryCommands } from './support/command-table.ts';
import { pick, seeded } from './support/seeded.ts';

const hostile = readCommandCorpus('hostile');
const readable = hostile.flatMap(({ commands }) => (commands === undefined ? [] : [commands]));
const ownRules = parseAllowRules(readSettings(() => undefined).settings['prowess.approvals.allow']);
const rules = parseAllowRules(wideRules);
/** A sample; `npm run soak` has more. */
const mutants = 1_000;

/** Splits chains into those that write only files of the command's own `/tmp`, and the others. */
function keptInTemporary(all: readonly CommandChain[]): readonly [readonly CommandChain[], readonly CommandChain[]] {
	const isKept = (chain: CommandChain) => {
		const files = listRedirectFiles(listChainCommands(chain).flatMap(({ redirects = [] }) => redirects));
		return files.length > 0 && files.every(({ path }) => isTemporary(path));
	};
	return [all.filter(isKept), all.filter((each) => !isKept(each))];
}

describe('A hostile command', () => {
	it('is one of a thousand, of many families', () => {
		assert.ok(hostile.length > 1_000);
		assert.ok(new Set(hostile.map(({ family }) => family)).size > 12);
	});

	for (const [which, list] of [
		['the rules that come with us', ownRules],
		['rules that allow everything of eighty programs', rules],
	] as const) {
		it(`is never run without a question: ${which}`, () => {
			const passed = hostile.filter(({ commands }) => commands !== undefined && gateOf(commands, list).kind !== 'ask');
			assert.deepEqual(
				passed.map(({ line }) => line),
				[],
			);
		});
	}

	it('is never run without a question by rules for a sandbox either, but for what the sandbox keeps in', () => {
		const passed = readable.filter((commands) => gateOf(commands, rules, { isSandboxed: true }).kind !== 'ask');
		const [kept, others] = keptInTemporary(passed);
		assert.deepEqual(others, []);
		// Outside of a sandbox each of them is a question.
		assert.ok(kept.length > 10);
	});

	it('is never run without a question where nothing keeps commands in, at the level auto', () => {
		const passed = hostile.filter(
			({ commands }) => commands !== undefined && gateOf(commands, ownRules, { level: 'auto' }).kind !== 'ask',
		);
		assert.deepEqual(
			passed.map(({ line }) => line),
			[],
		);
	});

	it('that needs a shell is not taken apart, and as one word it is no program', () => {
		const unread = hostile.filter(({ commands }) => commands === undefined);
		assert.ok(unread.length > 100);
		for (const { line } of unread) {
			for (const argv of [[line], ['sh', '-c', line], ['bash', '-lc', line]]) {
				assert.equal(gateOf({ argv }, rules).kind, 'ask', line);
			}
		}
	});

	it(`stays one however it is dressed: ${mutants} times`, () => {
		const random = seeded(20_261_121);
		for (let n = 0; n < mutants; n += 1) {
			const mutant = mutate(pick(random, readable), random);
			assert.equal(gateOf(mutant, rules).kind, 'ask', JSON.stringify(mutant));
		}
	});
});

describe('Without a question', () => {
	for (const level of ['ask', 'edit'] as const) {
		for (const [where, isSandboxed, ordinary] of [
			['in the sandbox', true, { asked: 147, passed: 125, why: { reads: 125 } }],
			['without a sandbox', false, { asked: 178, passed: 94, why: { reads: 94 } }],
		] as const) {
			it(`no hostile command passes at the level ${level} ${where}, and of the ordinary ones those that only read`, () => {
				assert.ok(hostileCommands.length > 3_600);
				assert.equal(judged(hostileCommands, { level, isSandboxed }).passed, 0);
				assert.deepEqual(judged(ordinaryCommands, { level, isSandboxed }), ordinary);
			});
		}
	}

	it('every ordinary command passes at the level ask in the sandbox but those that change, run, connect or command', () => {
		const asked = readCommandCorpus('ordinary').flatMap(({ line, commands }) =>
			commands === undefined || gateOf(commands, [], { isSandboxed: true }).kind === 'allow' ? [] : [line],
		);
		const named = [...askedKinds.values()].flat().map(({ line }) => line);
		assert.deepEqual(asked.toSorted(), named.toSorted());
	});

	for (const level of ['auto', 'full'] as const) {
		it(`all ordinary commands pass in the sandbox at the level ${level}, and no hostile one that is flagged dangerous`, () => {
			assert.equal(judged(ordinaryCommands, { level, isSandboxed: true }).asked, 0);
			assert.equal(judged(hostileCommands, { level, isSandboxed: true }).asked, 146);
		});
	}

	it('at most 15 % of ordinary commands stay behind once the rules that are offered were taken', () => {
		const { asked } = judged(ordinaryCommands, { level: 'ask', isSandboxed: true, rules: offeredRules() });
		assert.equal(asked, 39);
		assert.ok(asked / ordinaryCommands.length <= 0.15);
	});

	it('nothing passes by those rules where there is no sandbox, and in it only usual acts', () => {
		const rules = offeredRules();
		assert.equal(judged(hostileCommands, { level: 'ask', isSandboxed: false, rules }).passed, 0);
		const passed = readable.filter((each) => gateOf(each, rules, { isSandboxed: true }).kind === 'allow');
		assert.deepEqual(
			keptInTemporary(passed)[1].map(({ argv }) => argv.join(' ')),
			[
				...['git add -i', 'git tag -s x', 'npm ci', 'cargo run', 'composer install', 'bundle install'],
				...['eslint --fix', 'cargo test -- --nocapture'],
			],
		);
	});
});

describe('A command that a rule refuses', () => {
	for (const { rule, line, commands } of readEvasions()) {
		it(`is refused or asked, as the rule "${rule}" says, when it is written ${line}`, () => {
			const deny = parseStrictRule(rule, 'a test');
			assert.ok(typeof deny !== 'string');
			for (const isSandboxed of [undefined, true] as const) {
				const strict = { ...NO_STRICT_RULES, deny: [deny] };
				const options = { level: 'full', strict, ...(isSandboxed === undefined ? {} : { isSandboxed }) } as const;
				assert.notEqual(gateOf(commands, rules, options).kind, 'allow');
			}
		});
	}

	for (const [rule, line] of [
		['shell.run git push', 'git commit -m push'],
		['shell.run git push', 'git stash push'],
		['shell.run git push', 'git log --oneline'],
		['shell.run git push', 'echo git push'],
		['shell.run git push', 'npm test'],
		['shell.run npm publish', 'npm test'],
		['shell.run npm publish', 'npm run build'],
		['shell.run rm', 'ls rm'],
		['shell.run rm', 'git status'],
		['shell.run rm', 'sh build.sh'],
		['shell.run rm -rf', 'rm a.txt'],
	] as const) {
		it(`is not "${line}", as the rule "${rule}" says`, () => {
			const deny = parseStrictRule(rule, 'a test');
			assert.ok(typeof deny !== 'string');
			const strict = { ...NO_STRICT_RULES, deny: [deny] };
			assert.equal(gateOf({ argv: line.split(' ') }, rules, { level: 'full', strict }).kind, 'allow');
		});
	}
});

describe('An ordinary command', () => {
	const ordinary = readCommandCorpus('ordinary');

	it('is asked once and then known by its exact words, every one of them', () => {
		assert.ok(ordinary.length > 200);
		for (const { line, commands } of ordinary) {
			assert.ok(commands, line);
			const words = [commands.argv, ...(commands.chain ?? []).map(({ argv }) => argv)];
			const exact = words.map((argv) => `shell.run ${argv.map((word) => JSON.stringify(word)).join(' ')}`);
			const decision = gateOf(commands, parseAllowRules(exact));
			assert.ok(decision.kind === 'allow' || /\|/.test(line), `${line}: ${inEnglish(decision.reason)}`);
		}
	});
});
