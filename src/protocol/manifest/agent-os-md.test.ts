import assert from 'node:assert/strict';
import { readAgentOsFile } from './agent-os-md.ts';

const read = (front: string) => readAgentOsFile(`---\n${front}\n---\n\n# About\n`, 'readme.md');

describe('The readme.md of a skill for AgentOS', () => {
	it('gives no permission without front matter, or for a topic that there is not', () => {
		assert.deepEqual(readAgentOsFile('# About\n', 'readme.md').fields['permissions'], []);
		const { fields, problems } = read('id: a\ncapabilities: [http, browser]');
		assert.deepEqual(fields['permissions'], ['http']);
		assert.match(problems[0]?.message ?? '', /nothing here that is called "browser"/);
	});

	it('provides what decorators of its programs name, without what the host has itself', () => {
		const programs = {
			'a.py':
				'@provides(web_read, urls=["x.example/*"])\nasync def a(): pass\n@agentos.provides("web_read")\n@provides(password)\n',
			'b.py':
				'"""\n@provides(said)\n"""\n  @provides(within)\n# @provides(noted)\n@provides(\n  geocoding)\nasync def b(): pass\n',
		};
		const provides = (modules: readonly string[], texts: Readonly<Record<string, string>>) =>
			readAgentOsFile('---\nid: a\n---\n', 'readme.md', modules, texts).fields['provides'];
		assert.deepEqual(provides(['a.py', 'b.py'], programs), ['web_read', 'geocoding']);
		assert.deepEqual(provides(['a.py', 'skill.py'], { ...programs, 'skill.py': '@provides(llm)\n' }), []);
		assert.deepEqual(provides(['a.py'], {}), []);
	});

	it('asks for the permission of each topic once, at the level of the riskiest', () => {
		const { fields } = read('id: a\nname: Shown\ncapabilities: [sql, http, cookie, progress]');
		assert.deepEqual(
			[fields['name'], fields['permissions'], fields['level']],
			['a', ['database', 'http'], 'CONTROLLED'],
		);
		assert.equal(read('capabilities: [shell]').fields['level'], 'RESTRICTED');
		assert.equal(read('capabilities: [shell, secrets]').fields['level'], 'PRIVILEGED');
	});
});
