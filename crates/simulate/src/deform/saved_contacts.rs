//! Contacts as plain numbers, and back.

use super::body::Body;
use super::contact::{Contacts, Face, Node, Place};
use super::near_pairs::steps;
use super::surface::Side;
use crate::Error;

/// What may touch until the next search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedContacts {
    /// The body, the particle.
    pub nodes: Vec<[u32; 2]>,
    /// The parts of their reaches.
    pub parts: Vec<f64>,
    /// The body, how many corners, the corners.
    pub faces: Vec<[u32; 5]>,
    /// A node and a face.
    pub pairs: Vec<[u32; 2]>,
    /// A node and a wall.
    pub at_walls: Vec<[u32; 2]>,
    /// How far particles moved since the search, and since springs broke (negative if none did), and by how much they
    /// were searched as if wider.
    pub moved: [f64; 3],
    /// Whether there was a search at all.
    pub is_found: bool,
}

impl<const D: usize> Contacts<D> {
    pub(super) fn save(&self) -> SavedContacts {
        let face = |Face { body, side, .. }: &Face| {
            let mut numbers = [*body as u32, side.corners().len() as u32, 0, 0, 0];
            numbers[2..2 + side.corners().len()].copy_from_slice(side.corners());
            numbers
        };
        SavedContacts {
            nodes: (self.nodes.iter())
                .map(|node| [node.place.body as u32, node.place.number])
                .collect(),
            parts: self.nodes.iter().map(|node| node.part).collect(),
            faces: self.faces.iter().map(face).collect(),
            pairs: self.pairs.clone(),
            at_walls: self.at_walls.clone(),
            moved: [self.moved, self.opened.unwrap_or(-1.0), self.skin],
            is_found: self.is_found,
        }
    }

    /// As they were saved; `walls` is how many there are.
    pub(super) fn restore(
        saved: &SavedContacts,
        bodies: &[Body<D>],
        walls: usize,
    ) -> Result<Self, Error> {
        let damaged = || Error::Saved("its contacts are of other bodies".to_owned());
        let body_of = |body: u32, number: u32| {
            let body = bodies.get(body as usize).ok_or_else(damaged)?;
            let is_there = (number as usize) < body.grid.room();
            if is_there { Ok(body) } else { Err(damaged()) }
        };
        let mut contacts = Contacts {
            pairs: saved.pairs.clone(),
            at_walls: saved.at_walls.clone(),
            skin: saved.moved[2],
            moved: saved.moved[0],
            opened: Some(saved.moved[1]).filter(|opened| *opened >= 0.0),
            is_found: saved.is_found,
            ..Contacts::default()
        };
        for (&[body, number], &part) in saved.nodes.iter().zip(&saved.parts) {
            let of = body_of(body, number)?;
            let (row, depth) = (of.grid.row_of(number as usize) as u32, of.depth(number as usize));
            let place = Place { body: body as usize, number };
            let steps = steps(of, number as usize);
            contacts.nodes.push(Node { place, row, steps, depth, part });
        }
        for face in &saved.faces {
            let corners = face.get(2..2 + face[1] as usize).ok_or_else(damaged)?;
            let mut depths = [0.0; 3];
            for (depth, &corner) in depths.iter_mut().zip(corners) {
                *depth = body_of(face[0], corner)?.depth(corner as usize);
            }
            let side = Side::new(corners);
            let first = *corners.first().ok_or_else(damaged)?;
            let steps = steps(body_of(face[0], first)?, first as usize);
            contacts.faces.push(Face { body: face[0] as usize, side, depths, steps });
        }
        let counts = [contacts.nodes.len(), contacts.faces.len()];
        let is_there = |pair: &[u32; 2], second: usize| {
            (pair[0] as usize) < counts[0] && (pair[1] as usize) < second
        };
        let are_there = saved.pairs.iter().all(|pair| is_there(pair, counts[1]))
            && saved.at_walls.iter().all(|pair| is_there(pair, walls))
            && saved.parts.len() == saved.nodes.len();
        if !are_there {
            return Err(damaged());
        }
        contacts.group_up();
        Ok(contacts)
    }
}
