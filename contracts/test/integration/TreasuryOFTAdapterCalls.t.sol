// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Test} from "forge-std/Test.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryOFTAdapter} from "src/bridge/TreasuryOFTAdapter.sol";

/// @notice Makes the two halves of a transfer callable on their own.
contract ExposedTreasuryOFTAdapter is TreasuryOFTAdapter {
    constructor(address treasury, address lzEndpoint, address owner_)
        TreasuryOFTAdapter(treasury, lzEndpoint, owner_)
    {}

    function debit(address from, uint256 amountLD, uint256 minAmountLD, uint32 dstEid)
        external
        returns (uint256 amountSentLD, uint256 amountReceivedLD)
    {
        return _debit(from, amountLD, minAmountLD, dstEid);
    }

    function credit(address to, uint256 amountLD, uint32 srcEid) external returns (uint256 amountReceivedLD) {
        return _credit(to, amountLD, srcEid);
    }
}

/// @notice The halves of a bridge transfer apart. Across two endpoints: `unit/bridge`, which compiles with the optimizer
/// alone and is therefore not in the coverage.
contract TreasuryOFTAdapterCallsTest is Test {
    uint32 private constant EID = 30_101;

    Treasury private treasury;
    ExposedTreasuryOFTAdapter private adapter;
    address private immutable HOLDER = makeAddr("holder");

    function setUp() public {
        bytes memory init = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", address(this)));
        treasury = Treasury(address(new ERC1967Proxy(address(new Treasury()), init)));
        // The constructor names its delegate to the endpoint; nothing else here speaks to it. The code is STOP.
        address endpoint = makeAddr("endpoint");
        vm.etch(endpoint, hex"00");
        adapter = new ExposedTreasuryOFTAdapter(address(treasury), endpoint, address(this));
        treasury.grantRole(treasury.OPERATOR_ROLE(), address(this));
        treasury.addBridge(address(adapter));
        adapter.credit(HOLDER, 100e18, EID);
    }

    function test_Debit_BurnsWhatAMessageCarries_FromTheAllowance() public {
        assertTrue(adapter.approvalRequired());
        vm.prank(HOLDER);
        treasury.approve(address(adapter), 50e18);
        // Six decimals travel: the last twelve digits stay.
        (uint256 sent, uint256 received) = adapter.debit(HOLDER, 10e18 + 123_456_789_012, 10e18, EID);
        assertEq(sent, 10e18);
        assertEq(received, 10e18);
        assertEq(treasury.balanceOf(HOLDER), 90e18);
        assertEq(treasury.totalSupply(), 90e18);
        assertEq(treasury.allowance(HOLDER, address(adapter)), 40e18);
    }

    function test_Credit_MintsToTheReceiver_AndForZeroToTheDeadAddress() public {
        assertEq(adapter.credit(HOLDER, 1e18, EID), 1e18);
        assertEq(treasury.balanceOf(HOLDER), 101e18);
        assertEq(adapter.credit(address(0), 2e18, EID), 2e18);
        assertEq(treasury.balanceOf(adapter.DEAD()), 2e18);
    }

    function test_Ownership_PassesOnAcceptanceAlone() public {
        adapter.transferOwnership(HOLDER);
        assertEq(adapter.owner(), address(this));
        vm.prank(HOLDER);
        adapter.acceptOwnership();
        assertEq(adapter.owner(), HOLDER);
    }
}
