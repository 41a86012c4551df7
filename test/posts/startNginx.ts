import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../editor/freePort';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';

const nginx = '/usr/sbin/nginx';

/** Starts Debian's nginx, installed where it is missing, in front of a port of this machine. */
export async function startNginx(behind: number): Promise<AsyncDisposable & { readonly port: number }> {
  if (!existsSync(nginx)) await install();
  const port = await freePort();
  const folder = temporaryFolder('di-nginx').path;
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, configuration(port, behind, folder));
  const child = spawn(nginx, ['-c', config, '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  while (!(await listens(port))) if (child.exitCode !== null) throw new Error('nginx does not start.');
  return { port, [Symbol.asyncDispose]: () => ended(child) };
}

async function install(): Promise<void> {
  console.log('Installing nginx for the tests: apt-get install nginx-light.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runProcess('apt-get', ['update'], { env });
  await runProcess('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light'], { env });
}

function configuration(port: number, behind: number, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      access_log off;
      ${temporary.map((part) => `${part}_temp_path ${folder}/${part};`).join('\n      ')}
      upstream service { server 127.0.0.1:${behind}; keepalive 16; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}
