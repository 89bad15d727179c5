import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync, existsSync, readFileSync, readdirSync, realpathSync, mkdtempSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { SandboxScene } from './support/sandbox-scene.ts';
const env = { PATH: process.env.PATH!, HOME: '/tmp/r1home', GIT_CONFIG_NOSYSTEM: '1' };
const g = (cwd: string, ...a: string[]) => execFileSync('git', ['-c','user.name=a','-c','user.email=a@b','-c','protocol.file.allow=always', ...a], { cwd, env, encoding: 'utf8', stdio: ['ignore','pipe','pipe'] });
const w = (p: string, t: string) => { mkdirSync(dirname(p), { recursive: true }); writeFileSync(p, t); };
function repo() { const r = realpathSync(mkdtempSync('/var/lib/r1-')) ; g(r,'init','-q'); w(join(r,'pkg/a.txt'),'a\n'); w(join(r,'sib/b.txt'),'b\n'); w(join(r,'sib/.env'),'KEY=topsecret\n'); w(join(r,'.env'),'KEY=rootsecret\n'); w(join(r,'sib/deep/id_rsa'),'topsecret'); w(join(r,'.gitignore'),'.env\nid_rsa\n'); w(join(r,'sib/node_modules/x/.env'),'KEY=topsecret nm\n'); w(join(r,'sib/dist/x.js'),'');
 const lib = realpathSync(mkdtempSync('/var/lib/r1lib-')); g(lib,'init','-q'); w(join(lib,'l.txt'),'l'); g(lib,'add','-A'); g(lib,'commit','-qm','l'); g(r,'submodule','--quiet','add',lib,'sub'); g(r,'add','-A'); g(r,'commit','-qm','one'); return r; }
async function attack(name: string, ws: string, gitdir: string, tree: string) {
  const scene = new SandboxScene({}, {}, ws);
  const G = gitdir, T = tree;
  const snap = () => { const out: Record<string,string> = {}; const walk = (d: string) => { for (const e of readdirSync(d,{withFileTypes:true})) { const p = join(d,e.name); if (e.isDirectory()) { if (!/objects$/.test(p)) walk(p);} else out[p] = e.isFile()? readFileSync(p,'latin1'):'?'; } }; walk(G); for (const e of ['sib/b.txt','sib/.env','.gitignore','.gitmodules']) if (existsSync(join(T,e))) out[join(T,e)] = readFileSync(join(T,e),'latin1'); return out; };
  const before = snap();
  const cmds = [
   `git config core.fsmonitor 'touch /x'`, `echo '[core] fsmonitor=evil' >> ${G}/config`, `printf '#!/bin/sh\n' > ${G}/hooks/pre-commit; chmod +x ${G}/hooks/pre-commit`, `rm -rf ${G}/hooks; mkdir ${G}/hooks; echo > ${G}/hooks/post-checkout`,
   `mv ${G} ${G}2; cp -r ${G}2 ${G}; echo evil >> ${G}/config`, `mv ${G}/config ${G}/c2; echo evil > ${G}/config`, `mv ${G}/hooks ${G}/h2 && mkdir ${G}/hooks && echo evil > ${G}/hooks/pre-commit`, `echo /evil > ${G}/objects/info/alternates`, `echo '* filter=x' > ${G}/info/attributes`, `rm -rf ${G}/info; mkdir ${G}/info; echo '* merge=x' > ${G}/info/attributes`, `mv ${G}/objects/info ${G}/objects/i2; mkdir ${G}/objects/info; echo /evil > ${G}/objects/info/alternates`,
   `echo evil > ${G}/config.worktree`, `echo /evil > ${G}/commondir`, `echo '[core] fsmonitor=evil' >> ${G}/modules/sub/config`, `mkdir -p ${G}/modules/sub/hooks; echo evil > ${G}/modules/sub/hooks/pre-commit`, `mkdir -p ${G}/modules/new; cp -r ${G}/modules/sub/. ${G}/modules/new/; echo evil >> ${G}/modules/new/config`,
   `mv ${G}/modules ${G}/m2; mkdir -p ${G}/modules/sub; cp -r ${G}/m2/sub/. ${G}/modules/sub/; echo evil >> ${G}/modules/sub/config`, `for x in ${G}/worktrees/*; do echo evil > $x/config.worktree; done`, `mkdir -p ${G}/worktrees/n; echo evil > ${G}/worktrees/n/config.worktree`, `mkdir -p ${G}/rebase-merge; echo 'exec evil' > ${G}/rebase-merge/git-rebase-todo`,
   `git worktree add -q ../evil 2>&1; echo x > ${T}/sib/b.txt`, `echo x > ${T}/sib/new.txt`, `rm ${T}/sib/b.txt`, `git -C ${T} checkout -q -- . ; git -C ${T} reset -q --hard`, `git -C ${T} rm -q --cached .gitignore`,
   `echo '[x]' > ${T}/.gitattributes`, `ln -s ${T}/sib/.env k; cat k`, `mkdir -p ${T}/.vscode`, `git update-ref refs/heads/evil HEAD`, `git add -A . && git -c user.name=a -c user.email=b commit -qm ok --allow-empty` ];
  const reads = [`cat ${T}/sib/.env`, `cat ${T}/.env`, `cat ${T}/sib/deep/id_rsa`, `cat ${T}/sib/node_modules/x/.env`, `git -C ${T} hash-object -w sib/.env`, `grep -r secret ${T} 2>/dev/null`, `cat /proc/self/mountinfo`];
  const leaks: string[] = [];
  for (const c of cmds) { const s = await scene.sh(c); const out = JSON.stringify(s); if (/topsecret|rootsecret/.test(out)) leaks.push(c); }
  for (const c of reads) { const s = await scene.sh(c); const out = JSON.stringify(s); if (/topsecret|rootsecret/.test(out)) leaks.push(c); }
  await scene.close();
  const after = snap();
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((p) => before[p] !== after[p]);
  console.log(name, JSON.stringify({ leaks, bad: changed.filter((p) => /config|hooks|alternates|attributes|commondir|todo/.test(p) && !/sample/.test(p)).map((p) => p.replace(G, 'G') + ' := ' + (after[p] ?? 'GONE').slice(-40)) , tree: changed.filter((p) => p.startsWith(T + '/sib')) }, null, 1));
}
const r = repo(); await attack('package below the root', join(r,'pkg'), join(r,'.git'), r);
const r2 = repo(); const wt = realpathSync(mkdtempSync('/var/lib/r1wt-')); g(r2,'worktree','add','-q','-b','w',join(wt,'t')); await attack('linked worktree, whole', join(wt,'t'), join(r2,'.git'), join(wt,'t'));
const r3 = repo(); const wt3 = realpathSync(mkdtempSync('/var/lib/r1wt-')); g(r3,'worktree','add','-q','-b','w',join(wt3,'t')); await attack('linked worktree, package', join(wt3,'t/pkg'), join(r3,'.git'), join(wt3,'t'));
const r4 = repo(); g(r4,'submodule','update','--init'); await attack('submodule as workspace', join(r4,'sub'), join(r4,'.git'), r4);
process.exit(0);
