import assert from 'node:assert/strict';
import { inEnglish } from '../../../../protocol/text/text.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { parseAllowRules, ruleCovers } from './allow-rule.ts';
import { whyNotRule, widerRules } from './offered-rules.ts';

type Command = Extract<OpTarget, { kind: 'command' }>;

function command(line: string, more: Partial<Command> = {}): Command {
	return { kind: 'command', argv: line.split(' '), cwd: '.', isSandboxed: true, ...more };
}

function covers(rule: string, line: string, more: Partial<Command> = {}): boolean {
	return parseAllowRules([rule]).some((each) => ruleCovers(each, 'shell.run', command(line, more)));
}

describe('A rule that is offered beside the narrowest one', () => {
	for (const [line, ...rules] of [
		['npm run build', 'shell.run npm run build **', 'shell.run npm run **'],
		['npm test', 'shell.run npm test **'],
		['npx tsc --noEmit', 'shell.run npx tsc **'],
		['python -m pytest -q', 'shell.run python -m pytest **'],
		['cargo test parser', 'shell.run cargo test **'],
		['git commit -m x', 'shell.run git commit **'],
		['pytest tests/a.py', 'shell.run pytest **'],
	] as const) {
		it(`for "${line}" is ${rules.join(', then ')}`, () => {
			assert.deepEqual(widerRules('shell.run', command(line)), rules);
			assert.ok(rules.every((rule) => covers(rule, line)));
		});
	}

	for (const line of [
		'sh -c id',
		'node build.mjs',
		'python3 a.py',
		'npx sh',
		'npx -y tsc',
		'sudo npm test',
		'env npm test',
		'git push',
		'git reset --hard',
		'git checkout main',
		'git -c core.pager=sh add .',
		'npm install evil',
		'npm exec evil',
		'npm publish',
		'rm a.txt',
		'curl http://localhost',
		'docker ps',
		'./run.sh',
		'pytest -p evil',
		'make -f other',
	]) {
		it(`is none for "${line}"`, () => assert.deepEqual(widerRules('shell.run', command(line)), []));
	}

	it('is none without a sandbox, and covers nothing there', () => {
		const { isSandboxed: _, ...open } = command('npm test');
		assert.deepEqual(widerRules('shell.run', open), []);
		assert.equal(ruleCovers(parseAllowRules(['shell.run npm test **'])[0] ?? assert.fail(), 'shell.run', open), false);
	});

	it('covers flags and words behind it, but none that leads out, names a secret or starts a program', () => {
		const rule = 'shell.run npx tsc **';
		for (const line of ['npx tsc', 'npx tsc --noEmit -p tsconfig.json', 'npx tsc -- src/a.ts']) {
			assert.ok(covers(rule, line), line);
		}
		for (const line of [
			'npx tsc --outDir=/',
			'npx tsc --outDir ../x',
			'npx tsc .env',
			'npx tsc \u202Ea',
			'npx eslint',
			'npx',
		]) {
			assert.equal(covers(rule, line), false, line);
		}
		assert.equal(covers('shell.run git add **', 'git add --no-verify'), false);
		assert.equal(covers('shell.run git stash **', 'git stash drop'), false);
		assert.equal(covers('shell.run git tag **', 'git tag -d v1'), false);
		assert.equal(covers('shell.run pytest **', 'pytest -p evil'), false);
		const strays = [{ argument: 'link', isByLink: true }];
		assert.equal(covers(rule, 'npx tsc link', { strays }), false);
	});

	it('never opens what says nothing yet', () => {
		for (const [rule, line] of [
			['shell.run npx **', 'npx tsc'],
			['shell.run sh **', 'sh -c id'],
			['shell.run git **', 'git add .'],
			['shell.run npm **', 'npm test'],
			['shell.run env **', 'env npm test'],
		] as const) {
			assert.equal(covers(rule, line), false, rule);
		}
	});
});

describe('A rule that the person writes', () => {
	const why = (rule: string) => {
		const said = whyNotRule(rule, 'shell.run', [command('npm run build')]);
		return said === undefined ? '' : inEnglish(said);
	};

	it('is taken when it covers what is asked about', () => {
		for (const rule of ['shell.run npm run build', 'shell.run npm run **', '  shell.run npm run *  ']) {
			assert.equal(why(rule), '', rule);
		}
	});

	it('is refused in words, with what to do', () => {
		assert.match(why(''), /^Write an op and a pattern, such as "shell\.run npm run build"\.$/);
		assert.match(why('shell.rum npm test'), /^There is no op "shell\.rum"\. Begin the rule with "shell\.run"\.$/);
		assert.match(why('fs.write src/**'), /has to begin with "shell\.run"/);
		assert.match(why('shell.run "npm'), /quotation mark/);
		assert.match(why('shell.run *'), /too wide/);
		assert.match(why('shell.run npm **'), /sandbox only/);
		assert.match(why('shell.run npm test'), /you would be asked again\. Start from "npm run build"\./);
	});
});
