//! The memory that this process may use: the machine's, or less if a control group or a resource
//! limit restricts it.
//!
//! Linux reports it in files. `/proc/meminfo` contains the machine's memory. For control groups
//! (both versions), `/proc/self/cgroup` names the group and `/proc/self/mountinfo` the mount
//! points; the group and every ancestor may have a limit. `/proc/self/limits` contains the limit on
//! address space. Files that cannot be read are ignored.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the bytes that this process may use, or `None` if the system does not report it.
pub fn allowed_memory() -> Option<u64> {
    allowed_below(Path::new("/"))
}

/// Implements [`allowed_memory`] for a system whose files are below this folder.
fn allowed_below(root: &Path) -> Option<u64> {
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let machine = field(&read("proc/meminfo"), "MemTotal:").and_then(|kilobytes| kilobytes.checked_mul(1024));
    let address_space = field(&read("proc/self/limits"), "Max address space");
    let groups = groups(&read("proc/self/cgroup"), &read("proc/self/mountinfo"));
    let limits = groups.into_iter().flat_map(|group| group.limits(root));
    limits.chain(machine).chain(address_space).min()
}

/// Returns the number that follows a name at the start of a line, or `None` if a word such as
/// `unlimited` follows.
fn field(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_whitespace().next()?.parse().ok()
}

/// A control group of this process.
struct ControlGroup {
    /// The mount point of its hierarchy.
    mount: PathBuf,
    /// Its path below the mount point.
    path: PathBuf,
    /// The name of the files that contain the limits.
    file: &'static str,
}

impl ControlGroup {
    /// Returns the limits of the group and of all its ancestors.
    fn limits(&self, root: &Path) -> Vec<u64> {
        let groups = self.path.ancestors().map(|path| root.join(&self.mount).join(path).join(self.file));
        // Without a limit the file contains `max`, or in version 1 a huge number.
        groups.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok()).collect()
    }
}

/// Returns the groups that may limit memory. `cgroup` has lines such as `4:memory:/a/b` or, in
/// version 2, `0::/a/b`.
fn groups(cgroup: &str, mountinfo: &str) -> Vec<ControlGroup> {
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let (kind, file) = match controllers {
            "" => ("cgroup2", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => ("cgroup", "memory.limit_in_bytes"),
            _ => return None,
        };
        let (mount, top) = mountinfo.lines().find_map(|line| mounted(line, kind))?;
        // In a container, the mount may show only the container's group, `top`, and the groups
        // below it. The path may still begin with `top`, which is then removed.
        let path = match Path::new(path).strip_prefix(&top) {
            Ok(below) => below.to_str().unwrap_or(path),
            Err(_) => path,
        };
        let relative = |path: &str| PathBuf::from(path.trim_start_matches('/'));
        Some(ControlGroup { mount: relative(&mount), path: relative(path), file })
    };
    cgroup.lines().filter_map(of_line).collect()
}

/// Reads a line of `mountinfo`, such as
/// `36 35 0:30 /top /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory`. Returns the mount point
/// and the group that is mounted there; `None` if the line is for another kind of file system or,
/// in version 1, for a hierarchy that does not limit memory.
fn mounted(line: &str, kind: &str) -> Option<(String, String)> {
    let (mount_fields, file_system) = line.split_once(" - ")?;
    let mut file_system = file_system.split(' ');
    let limits_memory = |mut rest: std::str::Split<'_, char>| {
        rest.nth(1).is_some_and(|options| options.split(',').any(|option| option == "memory"))
    };
    if file_system.next() != Some(kind) || kind == "cgroup" && !limits_memory(file_system) {
        return None;
    }
    let mut mount_fields = mount_fields.split(' ').skip(3);
    let (top, mount) = (mount_fields.next()?, mount_fields.next()?);
    Some((unescaped(mount), unescaped(if top == "/" { "" } else { top })))
}

/// Decodes a path of `mountinfo`, where spaces, tabs, line feeds and backslashes are written as a
/// backslash and three octal digits, such as `\040`.
fn unescaped(escaped: &str) -> String {
    ["\\040", "\\011", "\\012", "\\134"]
        .iter()
        .zip([" ", "\t", "\n", "\\"])
        .fold(escaped.to_string(), |path, (code, character)| path.replace(code, character))
}

/// Returns the maximum resident set size of this process in bytes, or `None` if the system does not
/// report it (`/proc/self/status` exists only on Linux).
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the memory of a system with these files.
    fn system(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        allowed_below(root.path())
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:       8000 kB\nMemFree: 1 kB\n");

    #[test]
    fn without_control_groups_the_machine_or_the_address_space_is_the_limit() {
        assert_eq!(system(&[]), None);
        assert_eq!(system(&[MACHINE]), Some(8_192_000));
        let limits =
            |bytes: &str| format!("Limit  Soft  Hard  Units\nMax address space         {bytes}  unlimited  bytes\n");
        assert_eq!(system(&[MACHINE, ("proc/self/limits", &limits("unlimited"))]), Some(8_192_000));
        assert_eq!(system(&[MACHINE, ("proc/self/limits", &limits("5000000"))]), Some(5_000_000));
    }

    #[test]
    fn version_2_limits_apply_at_every_level() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "0::/outer/inner\n"),
            ("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"),
            ("sys/fs/cgroup/outer/inner/memory.max", "max\n"),
            ("sys/fs/cgroup/outer/memory.max", "3000000\n"),
        ];
        assert_eq!(system(&files), Some(3_000_000));
        assert_eq!(system(&files[..4]), Some(8_192_000));
    }

    #[test]
    fn names_may_contain_spaces_and_backslashes() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "0::/my job/of \\ today\n"),
            ("proc/self/mountinfo", "30 23 0:26 /my\\040job /mnt/all\\040groups\\134 rw - cgroup2 cgroup2 rw\n"),
            ("mnt/all groups\\/of \\ today/memory.max", "3000000\n"),
        ];
        assert_eq!(system(&files), Some(3_000_000));
    }

    #[test]
    fn version_1_limits_apply_inside_a_container() {
        let mounts = "31 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      32 23 0:28 /docker/1 /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n";
        let files = [
            MACHINE,
            ("proc/self/cgroup", "4:memory:/docker/1/job\n3:cpu:/\n"),
            ("proc/self/mountinfo", mounts),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2000000\n"),
        ];
        assert_eq!(system(&files), Some(2_000_000));
        assert_eq!(system(&files[..4]), Some(8_192_000));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn peak_memory_counts_memory_in_use() {
        let block = vec![1u8; 64 << 20];
        assert!(peak_memory().is_some_and(|peak| peak > block.len() as u64));
    }
}
